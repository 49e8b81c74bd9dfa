{#
  Prints an expression: a row, completed by the columns of its key that it lacks.

  Some writers leave the key out of the value (Flink's `value.fields-include` = EXCEPT_KEY, ksqlDB).

  Arguments:
    row (string): SQL of the row, map of column to text.
    key (string): SQL of the Kafka key, map of column to text, see named_key.
    key_columns (string): SQL of the names of the key's columns, array<string>. Other members of the
      Kafka key are no columns of the row.
#}
{% macro row_with_key(row, key, key_columns) -%}
    map_concat(
        coalesce(
            map_filter(
                {{ key }},
                (name, text) -> array_contains({{ key_columns }}, name) and not map_contains_key({{ row }}, name)
            ),
            cast(map() as map<string, string>)
        ),
        {{ row }}
    )
{%- endmacro %}
