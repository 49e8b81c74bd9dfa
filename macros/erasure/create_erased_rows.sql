{#
  Creates the table erased_rows next to events.

  Arguments:
    events (relation): the model events.

  Returns: a relation.
#}
{% macro create_erased_rows(events) %}
    {%- set erased = events.incorporate(path={'identifier': 'erased_rows'}) -%}
    {%- set statement -%}
        create table if not exists {{ erased }} (row_hash string, erased_at timestamp)
        using {{ kafka_cdc.get_table_format() }}
    {%- endset -%}
    {%- do run_query(statement) -%}
    {{ return(erased) }}
{% endmacro %}
