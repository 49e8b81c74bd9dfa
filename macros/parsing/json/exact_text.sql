{#
  Prints an expression: the payload as it is parsed, with its numbers quoted if they need it.

  A payload without a number marker stays untouched.

  Requires: the columns `value`, `number_marker`.
#}
{% macro exact_text() -%}
    if(number_marker is null, value, {{ kafka_cdc.quote_numbers('value', 'number_marker') }})
{%- endmacro %}
