{#
  Prints an expression: the values of a typed row that its columns could not hold.

  It is a map of the source's column to a struct of the text and the reason, empty for most rows.

  Arguments:
    columns (dict[string, list[string]]): the source's column to its typed column and its Spark
      type, for the columns whose decoder changes the text.

  Requires: columns `row_values` and the typed columns. None of them is named `source_column` or
  `source_text`, which are variables of the expression.
#}
{% macro undecoded(columns) -%}
    {%- if not columns -%}
    cast(map() as map<string, struct<text: string, reason: string>>)
    {%- else -%}
    transform_values(
        map_filter(
            row_values,
            (source_column, source_text) -> source_text is not null and case source_column
                {%- for name, column in columns.items() %}
                when {{ kafka_cdc.sql_literal(name) | trim }} then {{ column[0] }} is null
                {%- endfor %}
                else false
            end
        ),
        (source_column, source_text) -> struct(
            source_text as text,
            {{ kafka_cdc.undecoded_reason('source_text') | indent(12) }} || case source_column
                {%- for name, column in columns.items() %}
                when {{ kafka_cdc.sql_literal(name) | trim }} then '{{ column[1] }}'
                {%- endfor %}
            end as reason
        )
    )
    {%- endif -%}
{%- endmacro %}
