{#
  Prints a condition: a row is the JSON of an Avro union, as a console consumer prints it.

  The row is then the value of its only member, whose name is that of the row's type.

  Example: {"s.shop.items.Value":{"id":7}}.

  Arguments:
    rows (list[string]): SQL of the rows of a message, map<string, string>.
#}
{% macro avro_union_condition(rows) -%}
    {%- set conditions = [] -%}
    {%- for row in rows -%}
        {%- do conditions.append(
            'size(' ~ row ~ ') = 1 and get(map_keys(' ~ row ~ "), 0) like '%.Value' "
            ~ 'and startswith(get(map_values(' ~ row ~ "), 0), '{')"
        ) -%}
    {%- endfor -%}
    coalesce({{ conditions | join(' or ') }}, false)
{%- endmacro %}
