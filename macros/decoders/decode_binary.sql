{#
  Prints SQL for bytes from their text; null where the text is none of the encoding.
  encoding: base64; hex, also after 0x or \x; signed_numbers, [104, -3], as Java prints bytes; latin_1, a character a byte.
  length: of a type whose every value has so many bytes, and of which latin_1 lacks the zero bytes at the end.
#}
{% macro decode_binary(text, encoding, length=none) -%}
    {%- if encoding == 'base64' -%}
    try_to_binary({{ text }}, 'base64')
    {%- elif encoding == 'hex' -%}
    if(
        {{ text }} rlike r'^(?:0x|\\x)?(?:[0-9A-Fa-f]{2})*\z',
        unhex(regexp_replace({{ text }}, r'^(?:0x|\\x)', '')),
        null
    )
    {%- elif encoding == 'signed_numbers' -%}
    if(
        {{ text }} rlike r'^\[(?:-?[0-9]{1,3}(?:, ?-?[0-9]{1,3})*+)?\]\z'
        and forall(from_json({{ text }}, 'array<int>'), number -> number between -128 and 255),
        unhex(array_join(transform(from_json({{ text }}, 'array<int>'), number -> lpad(hex(number & 255), 2, '0')), '')),
        null
    )
    {%- elif encoding == 'latin_1' -%}
    {%- set whole = text if length is none else 'concat(' ~ text ~ ', repeat(chr(0), ' ~ length ~ ' - length(' ~ text ~ ')))' -%}
    if({{ text }} rlike r'^[\x00-\xFF]*\z', encode({{ whole }}, 'ISO-8859-1'), null)
    {%- else -%}
    {{ kafka_cdc.raise_error('decode_binary does not know the encoding ' ~ encoding, 'valid are base64, hex, signed_numbers, latin_1') }}
    {%- endif -%}
{%- endmacro %}
