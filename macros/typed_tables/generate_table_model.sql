{#
  Prints a typed model of one source table over current_state, and its yml, from the column types that the stream itself carries or the
  setting `tables` says. For run-operation; with `dbt --quiet` nothing else is on stdout.
  table: database[.schema].table. source, tenant: which stream, where several have such a table. name: of the model, by default the
  table's. part: model or yml, to print only that.
#}
{% macro generate_table_model(table, source=none, tenant=none, name=none, part=none) %}
    {%- if part not in [none, 'model', 'yml'] -%}
        {{ kafka_cdc.raise_error('part is ' ~ tojson(part), 'valid are model and yml; without it both are printed') }}
    {%- endif -%}
    {%- if execute -%}
        {%- set stream = kafka_cdc.get_table_stream(table, source, tenant, of_rows=false) -%}
        {%- set columns = kafka_cdc.get_typed_columns(stream) -%}
        {%- set name = name or modules.re.sub('\\W+', '_', table | lower, flags=modules.re.ASCII).strip('_') or 'typed_table' -%}
        {%- set model, properties = kafka_cdc.typed_model(stream, columns) | trim, kafka_cdc.typed_model_properties(name, stream, columns) | trim -%}
        {%- set place = 'models/typed/' ~ name -%}
        {%- if part != 'yml' -%}{{ print(model) }}{%- endif -%}
        {%- if part is none -%}{{ print('\n# The model above is for ' ~ place ~ '.sql, this for ' ~ place ~ '.yml') }}{%- endif -%}
        {%- if part != 'model' -%}{{ print(properties) }}{%- endif -%}
    {%- endif -%}
{% endmacro %}
