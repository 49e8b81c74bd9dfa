{#
  Prints SQL for the digits of a whole number, a text, from the base64 of its two's complement, highest byte first; null where the text
  is no base64 or the number has more than 38 digits. (A text, because Spark's minus rounds a decimal to 34 digits.)
#}
{% macro base64_integer(text) -%}
    {%- set magnitude -%}
    aggregate(
        regexp_extract_all(lpad(magnitude, cast(ceil(length(magnitude) / 12) * 12 as int), '0'), '.{12}', 0),
        cast(0 as decimal(38, 0)),
        (number, part) -> try_cast(
            try_add(try_multiply(number, 281474976710656BD), cast(conv(part, 16, 10) as decimal(15, 0))) as decimal(38, 0)
        )
    )
    {%- endset -%}
    {{ kafka_cdc.sql_let({
        'digits': "nullif(hex(try_to_binary(" ~ text ~ ", 'base64')), '')",
        'magnitude': "if(digits < '8', digits, translate(digits, '0123456789ABCDEF', 'FEDCBA9876543210'))",
        'number': magnitude,
    }, "if(digits < '8', cast(number as string), '-' || cast(try_add(number, 1BD) as string))") }}
{%- endmacro %}
