{#
  Prints a condition: a condition on the elements of an array is true for any of them.

  It is `exists(array, element -> condition)`, which Spark interprets. Most arrays of rows and key
  columns have one element. For one element Spark compiles the condition.

  Example: any_element_condition('rows', 'row', '{row}.after_row is null') prints
  if(size(rows) = 1, get(rows, 0).after_row is null, exists(rows, row -> row.after_row is null)).

  Arguments:
    elements (string): SQL of the array.
    element (string): the name of the element.
    condition (string): SQL of the condition. It has {name} for the element.
#}
{% macro any_element_condition(elements, element, condition) -%}
    {%- set placeholder = '{' ~ element ~ '}' -%}
    if(
        size({{ elements }}) = 1,
        {{ condition.replace(placeholder, 'get(' ~ elements ~ ', 0)') }},
        exists({{ elements }}, {{ element }} -> {{ condition.replace(placeholder, element) }})
    )
{%- endmacro %}
