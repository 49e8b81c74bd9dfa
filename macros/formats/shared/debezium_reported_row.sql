{#
  Prints a row without the columns that it does not say: nulls, where `nulls_say_nothing`, and the placeholder of unavailable
  values as text, bytes (base64, hex), UUID, hstore, and array of texts, UUIDs or numbers. SQL Server has none.
#}
{% macro debezium_reported_row(row, nulls_say_nothing) -%}
    {%- set text, uuid = '__debezium_unavailable_value', 'b68a35a7-17ad-35b3-af2a-ae46edb4545a' -%}
    {%- set bytes = '95,95,100,101,98,101,122,105,117,109,95,117,110,97,118,97,105,108,97,98,108,101,95,118,97,108,117,101' -%}
    {%- set placeholders = [text, 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==', '5f5f646562657a69756d5f756e617661696c61626c655f76616c7565', uuid,
        '["' ~ text ~ '"]', '["' ~ uuid ~ '"]', '[' ~ bytes ~ ']', '{"' ~ text ~ '":"' ~ text ~ '"}'] -%}
    if(
        change.source.connector = 'sqlserver',
        {{ row }},
        map_filter({{ row }}, (name, text) -> if(text is null, not ({{ nulls_say_nothing }}), text not in ('{{ placeholders | join("', '") }}')))
    )
{%- endmacro %}
