{#
  Calls one of Iceberg's procedures on a table; returns its name and what it did, for people. arguments: SQL behind the table's.
  older_than_days: how many days before now the procedure's older_than lies.
#}
{% macro maintain_table(table, procedure, arguments='', older_than_days=none) %}
    {%- set catalog = run_query('select current_catalog()').columns[0].values()[0] -%}
    {%- set older_than = '' -%}
    {%- if older_than_days is not none -%}
        {%- set moment = run_query('select cast(current_timestamp() - interval ' ~ older_than_days ~ ' days as string)').columns[0].values()[0] -%}
        {%- set older_than = ", older_than => timestamp '" ~ moment ~ "'" -%}
    {%- endif -%}
    {%- set result = run_query('call ' ~ catalog ~ '.system.' ~ procedure ~ '(table => ' ~ sql_text(table | string) | trim ~ arguments ~ older_than ~ ')') -%}
    {%- set numbers = [] -%}
    {%- if procedure == 'remove_orphan_files' -%}
        {%- do numbers.append(result.rows | length) -%}
    {%- else -%}
        {%- for name, number in result.rows[0].dict().items() if number %}{% do numbers.append(name ~ ' ' ~ number) %}{% endfor -%}
    {%- endif -%}
    {{ return(procedure ~ ' (' ~ (numbers | join(', ') or 'nothing to do') ~ ')') }}
{% endmacro %}
