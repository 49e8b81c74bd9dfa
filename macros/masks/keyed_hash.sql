{#
  Prints an expression: the HMAC-SHA-256 of a text in lower hexadecimal digits.

  Arguments:
    text (string): SQL of the text. It must not be null.
    secret (string): SQL of the secret. It must not be empty.
#}
{% macro keyed_hash(text, secret) -%}
    reflect('org.apache.commons.codec.digest.HmacUtils', 'hmacSha256Hex', {{ secret }}, {{ text }})
{%- endmacro %}
