{#
  Prints SQL for what a typed row could not hold: map of column → struct of its text and the reason, empty for most rows. Reads
  row_values and the typed columns.
  columns: the source's column → [the typed column, its Spark type], for those that decode to something else than their text.
#}
{% macro undecoded(columns) -%}
    {%- if not columns -%}
    cast(map() as map<string, struct<text: string, reason: string>>)
    {%- else -%}
    transform_values(
        map_filter(
            row_values,
            (name, text) -> text is not null and case name
                {%- for name, column in columns.items() %}
                when {{ kafka_cdc.sql_literal(name) | trim }} then {{ column[0] }} is null
                {%- endfor %}
                else false
            end
        ),
        (name, text) -> struct(
            text,
            {{ kafka_cdc.undecoded_reason('text') | indent(12) }} || case name
                {%- for name, column in columns.items() %}
                when {{ kafka_cdc.sql_literal(name) | trim }} then '{{ column[1] }}'
                {%- endfor %}
            end as reason
        )
    )
    {%- endif -%}
{%- endmacro %}
