{#
  Prints an expression: the digits of a whole number from the base64 of its two's complement.

  The result is a text. The highest byte comes first. The result is null if the text is not base64
  or if the number has more than 38 digits. It is no decimal because subtraction in Spark rounds a
  decimal to 34 digits.

  Arguments:
    text (string): SQL of the base64.
#}
{% macro base64_integer(text) -%}
    {#- A negative number -n has the inverted bits of n - 1. -#}
    {{ kafka_cdc.sql_let({
        'digits': "nullif(hex(try_to_binary(" ~ text ~ ", 'base64')), '')",
        'magnitude': "if(digits < '8', digits, translate(digits, '0123456789ABCDEF', 'FEDCBA9876543210'))",
        'number': kafka_cdc.hexadecimal_integer('magnitude'),
    }, "if(digits < '8', cast(number as string), '-' || cast(try_add(number, 1BD) as string))") }}
{%- endmacro %}
