{#
  Prints an expression: a position of OceanBase Migration Service as an array of two numbers.

  The text has ten digits of seconds, then a counter of up to five digits. The counter is not
  padded, so the two numbers are compared separately. Other texts are an array with a null.

  Arguments:
    text (string): SQL of the position.
#}
{% macro oceanbase_oms_sequence(text) -%}
    {%- set seconds = 'substring(' ~ text ~ ', 1, 10)' -%}
    {%- set counter = 'coalesce(nullif(substring(' ~ text ~ ", 11), ''), '0')" -%}
    if(
        {{ text }} rlike r'^[0-9]{1,15}\z',
        {{ kafka_cdc.sequence_array([seconds, counter]) }},
        array(null)
    )
{%- endmacro %}
