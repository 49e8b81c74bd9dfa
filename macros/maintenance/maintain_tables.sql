{#
  Keeps the project's tables small and fast: small files of raw become large ones, old snapshots and the files that no snapshot needs
  go. For run-operation, daily: dbt run-operation maintain_tables. What is published is spared, and so is what runs beside it wrote.
  keep_days: how long old snapshots stay readable (0: only the newest and the published). orphan_days: how old a file that belongs to no
  snapshot must be, at least 1; a run that takes longer than that would lose its files.
#}
{% macro maintain_tables(keep_days=5, orphan_days=3) %}
    {%- for name, days, least in [('keep_days', keep_days, 0), ('orphan_days', orphan_days, 1)] if days is not integer or days is boolean or days < least -%}
        {{ fail(name ~ ' is ' ~ tojson(days), 'a whole number of days from ' ~ least) }}
    {%- endfor -%}
    {%- if execute -%}
        {%- for table in [source('raw', 'kafka_messages'), ref('events'), ref('stream_profiles')] if load_relation(table) is not none -%}
            {%- set said = [] -%}
            {%- for name, arguments in get_maintenance(table, keep_days, orphan_days).items() -%}
                {%- set result = run_query('call ' ~ _current_catalog() ~ '.system.' ~ name ~ '(table => ' ~ sql_text(table | string) | trim ~ arguments ~ ')') -%}
                {%- do said.append(name ~ ' ' ~ (result.rows | length if name == 'remove_orphan_files' else result.rows[0].values() | join('/'))) -%}
            {%- endfor -%}
            {{ log(table ~ ': ' ~ said | join(', '), info=true) }}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

{# Returns the catalog in which the tables are. #}
{% macro _current_catalog() %}
    {{ return(run_query('select current_catalog()').columns[0].values()[0]) }}
{% endmacro %}
