{#
  Returns the macros that decode a text as databases write it, list[string].

  A text of one plain type never has another meaning as the text of another plain type.
#}
{% macro get_plain_decoders() %}
    {{ return([
        'decode_text',
        'decode_integer',
        'decode_decimal',
        'decode_float',
        'decode_boolean',
        'decode_date',
        'decode_timestamp',
        'decode_timestamp_ntz',
        'decode_time',
    ]) }}
{% endmacro %}
