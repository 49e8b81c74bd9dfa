{#
  Prints SQL for a bit string, as text of 0 and 1, the highest bit first, filled up to `length` where it is known; null where the text is
  no bit string or longer than that.
  encoding: text, 0101; number, up to 64 bits as an unsigned number; base64, bytes with the highest first; base64_little_endian.
#}
{% macro decode_bits(text, encoding, length=none) -%}
    {%- set is_known = length is not none and length <= 4096 -%}
    {#- Without a length, true may be the boolean that one bit is sent as: it is base64, too. -#}
    {%- set bytes = 'regexp_extract_all(hex(try_to_binary(' ~ (text if is_known else 'nullif(' ~ text ~ ", 'true')") ~ ", 'base64')), '..', 0)" -%}
    {%- set filled = 'lpad(bits, ' ~ (length if is_known else 'greatest(length(bits), 1)') ~ ", '0')" -%}
    {%- if encoding == 'text' -%}
    if({{ text }} rlike r'^[01]*\z', {{ text }}, null)
    {%- else -%}
    {%- if encoding == 'number' -%}
        {%- set bits = 'if(' ~ text ~ " rlike r'^[0-9]+\\z' and try_cast(" ~ text ~ ' as decimal(20, 0)) between 0 and 18446744073709551615BD, conv(' ~ text ~ ', 10, 2), null)' -%}
    {%- else -%}
        {%- set bytes = 'reverse(' ~ bytes ~ ')' if encoding == 'base64_little_endian' else bytes -%}
        {%- set bits = "trim(leading '0' from array_join(transform(" ~ bytes ~ ", byte -> lpad(conv(byte, 16, 2), 8, '0')), ''))" -%}
    {%- endif -%}
    {{ kafka_cdc.sql_let({'bits': bits}, 'if(length(bits) <= ' ~ length ~ ', ' ~ filled ~ ', null)' if is_known else filled) }}
    {%- endif -%}
{%- endmacro %}
