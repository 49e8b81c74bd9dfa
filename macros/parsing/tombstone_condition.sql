{#
  Prints a condition: a message is a tombstone, because its value is null or only white space.

  Arguments:
    value (string): SQL of the message's value.
#}
{% macro tombstone_condition(value) -%}
    coalesce(ltrim(' \t\r\n', {{ value }}), '') = ''
{%- endmacro %}
