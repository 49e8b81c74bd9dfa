{#
  Prints an expression: a position of OceanBase Migration Service as an array of two numbers.

  The text has ten digits of seconds, then a counter of up to five digits. The counter is not
  padded, so the two numbers are compared separately. A text of eighteen digits has thirteen digits of
  milliseconds and a counter of five. Other texts are an array with a null.

  Arguments:
    text (string): SQL of the position.
#}
{% macro oceanbase_oms_sequence(text) -%}
    {%- set digits = 'if(length(' ~ text ~ ') = 18, 13, 10)' -%}
    {%- set time = 'substring(' ~ text ~ ', 1, ' ~ digits ~ ')' -%}
    {%- set counter = 'coalesce(nullif(substring(' ~ text ~ ', ' ~ digits ~ " + 1), ''), '0')" -%}
    if(
        {{ text }} rlike r'^(?:[0-9]{1,15}|[0-9]{18})\z',
        {{ kafka_cdc.sequence_array([time, counter]) }},
        array(null)
    )
{%- endmacro %}
