{#
  Prints an expression: a whole number, decimal(38, 0), from its hexadecimal digits.

  The result is null if the number has more than 38 decimal digits.

  Arguments:
    digits (string): SQL of the digits, the highest first.
#}
{% macro hexadecimal_integer(digits) -%}
    {#- Adds up the number in parts of 12 hexadecimal digits, 48 bits each. -#}
    aggregate(
        regexp_extract_all(lpad({{ digits }}, cast(ceil(length({{ digits }}) / 12) * 12 as int), '0'), '.{12}', 0),
        cast(0 as decimal(38, 0)),
        (number, part) -> try_cast(
            try_add(
                try_multiply(number, 281474976710656BD),
                cast(conv(part, 16, 10) as decimal(15, 0))
            ) as decimal(38, 0)
        )
    )
{%- endmacro %}
