{#
  Returns the lines of the seed source_types: how each type of each source database is decoded.

  It raises an error if the seed has not been loaded.

  Returns: a list of dictionaries, column to value. source_type is a list of names.
#}
{% macro get_source_types() %}
    {%- set seed = ref('kafka_cdc', 'source_types') -%}
    {%- if not execute -%}
        {{ return([]) }}
    {%- endif -%}

    {%- if not kafka_cdc.has_table(seed) -%}
        {{ kafka_cdc.raise_error('the seed source_types is not in ' ~ seed.schema, 'run dbt seed, or dbt build') }}
    {%- endif -%}

    {%- set memory = kafka_cdc.get_run_memory() -%}
    {%- if 'source_types' in memory -%}
        {{ return(memory.source_types) }}
    {%- endif -%}

    {%- set lines = [] -%}
    {%- for row in run_query('select distinct * from ' ~ seed ~ ' order by all').rows -%}
        {%- set line = {} -%}
        {%- for name in row.keys() -%}
            {%- do line.update({name: row[name]}) -%}
        {%- endfor -%}
        {%- do line.update({'source_type': line.source_type.split(' | ')}) -%}
        {%- do lines.append(line) -%}
    {%- endfor -%}

    {%- do memory.update({'source_types': lines}) -%}
    {{ return(lines) }}
{% endmacro %}
