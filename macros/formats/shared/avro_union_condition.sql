{#
  Prints a condition: a row is the JSON of an Avro union, as a console consumer prints it.

  The row is then the value of its only member, whose name is that of the row's type.

  Example: {"s.shop.items.Value":{"id":7}}.

  Arguments:
    rows (list[string]): SQL of the rows of a message, map<string, string>.
#}
{% macro avro_union_condition(rows) -%}
    exists(
        array({{ rows | join(', ') }}),
        image -> size(image) = 1 and map_keys(image)[0] like '%.Value' and startswith(map_values(image)[0], '{')
    )
{%- endmacro %}
