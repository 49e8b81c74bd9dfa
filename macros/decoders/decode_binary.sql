{#
  Prints an expression: bytes from their text, null if the text does not have the encoding.

  Arguments:
    text (string): SQL of the text.
    encoding (string): `base64`; `hex`, also after 0x or \x; `signed_numbers`, such as [104, -3],
      as Java prints bytes; `latin_1`, one character per byte.
    length (optional[integer]): the length in bytes of every value of the type. Text in base64 or
      latin_1 may lack the zero bytes at the end, which are added.
#}
{% macro decode_binary(text, encoding, length=none) -%}
    {%- if encoding == 'base64' -%}
    {%- set bytes = 'try_to_binary(' ~ text ~ ", 'base64')" -%}
    {%- set zeros = "unhex(repeat('00', " ~ length ~ ' - octet_length(' ~ bytes ~ ')))' -%}
    {{ bytes if length is none else 'concat(' ~ bytes ~ ', ' ~ zeros ~ ')' }}
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
        unhex(array_join(
            transform(from_json({{ text }}, 'array<int>'), number -> lpad(hex(number & 255), 2, '0')),
            ''
        )),
        null
    )
    {%- elif encoding == 'latin_1' -%}
    {%- set zeros = 'repeat(chr(0), ' ~ length ~ ' - length(' ~ text ~ '))' -%}
    {%- set padded = text if length is none else 'concat(' ~ text ~ ', ' ~ zeros ~ ')' -%}
    if({{ text }} rlike r'^[\x00-\xFF]*\z', encode({{ padded }}, 'ISO-8859-1'), null)
    {%- else -%}
    {{ kafka_cdc.raise_error(
        'decode_binary does not know the encoding ' ~ encoding,
        'valid encodings are base64, hex, signed_numbers, latin_1'
    ) }}
    {%- endif -%}
{%- endmacro %}
