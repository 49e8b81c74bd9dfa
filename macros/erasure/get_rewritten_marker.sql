{#
  Returns the text with which a payload starts that erase_row has rewritten.

  Landing knows the same text. It never compares a rewritten payload with a message.

  Returns: a string.
#}
{% macro get_rewritten_marker() %}
    {{ return('{"kafka_cdc_rewritten":') }}
{% endmacro %}
