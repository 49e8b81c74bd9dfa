{#
  Prints an expression: the canonical JSON of a row's key, such as {"id":"1001"}.

  Columns are in the order of key_columns, and values are texts. If there is no row, or there are
  no key columns, the result is null. It is also null if the row lacks a value for one of them.

  Arguments:
    row_map (string): SQL of the row, map<string, string>.
    key_columns (string): SQL of the sorted key columns, array<string>.
#}
{% macro json_key(row_map, key_columns) -%}
    {#- Most keys have one column. Spark compiles what it reads, and interprets the lambdas for other keys. -#}
    {%- set one_column = 'get(' ~ key_columns ~ ', 0)' -%}
    case
        when {{ row_map }} is null or {{ key_columns }} is null then null
        when size({{ key_columns }}) = 1
            then if(
                {{ row_map }}[{{ one_column }}] is null,
                null,
                to_json(map({{ one_column }}, {{ row_map }}[{{ one_column }}]))
            )
        when not {{ kafka_cdc.incomplete_key_condition(row_map, key_columns) }}
            then to_json(map_from_arrays({{ key_columns }}, transform({{ key_columns }}, name -> {{ row_map }}[name])))
    end
{%- endmacro %}
