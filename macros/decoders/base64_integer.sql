{#
  Prints an expression: the digits of a whole number from the base64 of its two's complement.

  The result is a text. The highest byte comes first. The result is null if the text is not base64
  or if the number has more than 38 digits. It is no decimal because subtraction in Spark rounds a
  decimal to 34 digits.

  Arguments:
    text (string): SQL of the base64.
#}
{% macro base64_integer(text) -%}
    {#- Adds up the magnitude in parts of 12 hexadecimal digits, 48 bits each. -#}
    {%- set magnitude -%}
    aggregate(
        regexp_extract_all(lpad(magnitude, cast(ceil(length(magnitude) / 12) * 12 as int), '0'), '.{12}', 0),
        cast(0 as decimal(38, 0)),
        (number, part) -> try_cast(
            try_add(
                try_multiply(number, 281474976710656BD),
                cast(conv(part, 16, 10) as decimal(15, 0))
            ) as decimal(38, 0)
        )
    )
    {%- endset -%}

    {#- A negative number -n has the inverted bits of n - 1. -#}
    {{ kafka_cdc.sql_let({
        'digits': "nullif(hex(try_to_binary(" ~ text ~ ", 'base64')), '')",
        'magnitude': "if(digits < '8', digits, translate(digits, '0123456789ABCDEF', 'FEDCBA9876543210'))",
        'number': magnitude,
    }, "if(digits < '8', cast(number as string), '-' || cast(try_add(number, 1BD) as string))") }}
{%- endmacro %}
