{#
  Prints an expression: a bit string as text of 0 and 1, the highest bit first.

  It is padded to `length` if that is given. The result is null if the text is not a bit string, or
  if it is longer than `length`.

  Arguments:
    text (string): SQL of the text.
    encoding (string): `text`, such as 0101; `number`, an unsigned number of up to 64 bits;
      `base64`, bytes with the highest first; `base64_little_endian`, bytes with the lowest first.
    length (optional[integer]): number of bits of the type.
#}
{% macro decode_bits(text, encoding, length=none) -%}
    {%- set has_length = length is not none and length <= 4096 -%}
    {%- set padding = length if has_length else 'greatest(length(bits), 1)' -%}
    {%- set padded = 'lpad(bits, ' ~ padding ~ ", '0')" -%}

    {%- if encoding == 'text' -%}
    if({{ text }} rlike r'^[01]*\z', {{ text }}, null)
    {%- else -%}
        {%- if encoding == 'number' -%}
            {%- set bits -%}
    if(
        {{ text }} rlike r'^[0-9]+\z' and try_cast({{ text }} as decimal(20, 0)) between 0 and 18446744073709551615BD,
        conv({{ text }}, 10, 2),
        null
    )
            {%- endset -%}
        {%- else -%}
            {#- `true` is valid base64. Without a length it may be the boolean of a single bit. -#}
            {%- set base64 = text if has_length else 'nullif(' ~ text ~ ", 'true')" -%}
            {%- set bytes = 'regexp_extract_all(hex(try_to_binary(' ~ base64 ~ ", 'base64')), '..', 0)" -%}
            {%- set bytes = 'reverse(' ~ bytes ~ ')' if encoding == 'base64_little_endian' else bytes -%}
            {%- set bits -%}
    trim(leading '0' from array_join(transform({{ bytes }}, byte -> lpad(conv(byte, 16, 2), 8, '0')), ''))
            {%- endset -%}
        {%- endif -%}
    {{ kafka_cdc.sql_let(
        {'bits': bits},
        'if(length(bits) <= ' ~ length ~ ', ' ~ padded ~ ', null)' if has_length else padded
    ) }}
    {%- endif -%}
{%- endmacro %}
