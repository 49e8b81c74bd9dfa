{#
  Returns the typed tables that no model of the project writes any more, because its file was deleted
  or it was disabled.

  They are found by their property kafka_cdc.built_from, in the schema of events, in that of the
  target, and in those of typed models.

  Returns: list[dict[string, any]], each with `name`, the schema and the table, and `built_from`, see
    get_built_from.
#}
{% macro get_unmodeled_typed_tables() %}
    {%- set modeled, candidates = {}, [target.schema] -%}
    {%- for node in graph.nodes.values() if node.resource_type == 'model' -%}
        {%- if node.config.materialized == 'typed_table' -%}
            {%- do modeled.update({(node.schema ~ '.' ~ node.alias) | lower: true}) -%}
            {%- do candidates.append(node.schema) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- set existing = run_query('show schemas').columns[0].values() | map('lower') | list -%}
    {%- set schemas = [kafka_cdc.get_model_relation('events').schema] -%}
    {%- for schema in candidates if schema | lower in existing and schema not in schemas -%}
        {%- do schemas.append(schema) -%}
    {%- endfor -%}

    {%- set found = [] -%}
    {%- for schema in schemas -%}
        {%- for _, table, is_temporary in run_query('show tables in ' ~ schema).rows if not is_temporary -%}
            {%- set name = schema ~ '.' ~ table -%}
            {%- if name | lower not in modeled -%}
                {%- set quoted_name = schema ~ '.`' ~ table | replace('`', '``') ~ '`' -%}
                {%- set built_from = kafka_cdc.get_built_from_property(quoted_name) -%}
                {%- if built_from -%}
                    {%- do found.append({'name': name, 'built_from': built_from}) -%}
                {%- endif -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(found) }}
{% endmacro %}
