{#
  Returns whether a row was erased before.

  Arguments:
    table (dict[string, any]): a table with its rows, as erase_rows takes it. The first one counts.

  Returns: a boolean.
#}
{% macro has_erased_row(table) %}
    {%- set erased = kafka_cdc.get_erased_rows(ref('events')) -%}
    {%- if erased is none -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set query -%}
        select 1
        from {{ erased }}
        where row_hash in ({{ kafka_cdc.select_row_hashes([dict(table, row_keys=table.row_keys[:1])]) }})
        limit 1
    {%- endset -%}
    {{ return(run_query(query).rows | length > 0) }}
{% endmacro %}
