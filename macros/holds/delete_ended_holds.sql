{#
  Pre-hook of table_holds: deletes its rows if no table is held any more.

  The model then has no rows to write, and a dynamic INSERT OVERWRITE without rows replaces nothing.

  Arguments:
    table_holds (relation): the table.
#}
{% macro delete_ended_holds(table_holds) %}
    {%- if execute and (table_holds | string) in kafka_cdc.get_run_memory().get('ended_holds', []) -%}
        {%- do run_query('delete from ' ~ table_holds) -%}
        {%- do kafka_cdc.record_write(table_holds) -%}
    {%- endif -%}
{% endmacro %}
