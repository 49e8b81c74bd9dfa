{#
  Prints a condition: a row or a name is the JSON of an Avro union, as a console consumer prints it.

  The row is then the value of its only member, whose name is that of the row's type. The TRUNCATE of
  a table has no row, and the name of its table is such a value.

  Example: {"s.shop.items.Value":{"id":7}}, and {"string":"items"} for a name.

  Arguments:
    rows (list[string]): SQL of the rows of a message, map<string, string>.
    name (string): SQL of a name in the message.
#}
{% macro avro_union_condition(rows, name) -%}
    {%- set conditions = [name ~ " rlike r'^\\{ *\"string\" *:'"] -%}
    {%- for row in rows -%}
        {%- do conditions.append(
            'size(' ~ row ~ ') = 1 and get(map_keys(' ~ row ~ "), 0) like '%.Value' "
            ~ 'and startswith(get(map_values(' ~ row ~ "), 0), '{')"
        ) -%}
    {%- endfor -%}
    coalesce({{ conditions | join(' or ') }}, false)
{%- endmacro %}
