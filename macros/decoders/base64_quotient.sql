{#
  Prints an expression: the digits of a whole number, in base64, divided by a power of ten.

  It serves numbers with more digits than Spark has, such as Oracle's 1.5 with the scale 127: 15 and
  126 zeros. The result is a text. It is null if the text is not base64, if the division leaves a
  remainder, or if the quotient has more than 38 digits.

  Arguments:
    text (string): SQL of the base64 of the number's two's complement, the highest byte first.
    exponent (integer): the number is divided by 10^exponent, 1 or more.
#}
{% macro base64_quotient(text, exponent) -%}
    {#-
      10^n is 5^n and n binary zeros. Hexadecimal zeros at the end are cut off. The rest is a long
      division of parts of 32 bits. Spark's array_append is three times as fast as concat here.
    -#}
    {%- set zeros = exponent // 4 -%}
    {%- set divisors = [5 ** 13] * (exponent // 13) + [5 ** (exponent % 13) * 2 ** (exponent % 4)] -%}

    {%- set quotient -%}
    aggregate(
        array({{ divisors | join('L, ') }}L),
        transform(
            regexp_extract_all(lpad(magnitude, cast(ceil(length(magnitude) / 8) * 8 as int), '0'), '.{8}', 0),
            part -> cast(conv(part, 16, 10) as bigint)
        ),
        (parts, divisor) -> aggregate(
            parts,
            named_struct('quotient', cast(array() as array<bigint>), 'remainder', 0L),
            (state, part) -> named_struct(
                'quotient', if(
                    size(state.quotient) = 0 and state.remainder * 4294967296L + part < divisor,
                    state.quotient,
                    array_append(state.quotient, (state.remainder * 4294967296L + part) div divisor)
                ),
                'remainder', (state.remainder * 4294967296L + part) % divisor
            ),
            state -> if(state.remainder = if(digits < '8', 0L, divisor - 1L), state.quotient, null)
        ),
        parts -> array_join(transform(parts, part -> lpad(hex(part), 8, '0')), '')
    )
    {%- endset -%}

    {#-
      A negative number -n has the inverted bits of n - 1. If n is divisible by d, the remainder of
      n - 1 is d - 1, and its quotient is one less than that of n.
    -#}
    {{ kafka_cdc.sql_let({
        'all_digits': "nullif(hex(try_to_binary(" ~ text ~ ", 'base64')), '')",
        'digits': "case when all_digits rlike r'^0+\\z' then '0' "
            ~ 'when length(all_digits) <= ' ~ (exponent + 40) ~ " and all_digits rlike r'^.+0{" ~ zeros ~ "}\\z' "
            ~ 'then substring(all_digits, 1, length(all_digits) - ' ~ zeros ~ ') end',
        'magnitude': "if(digits < '8', digits, translate(digits, '0123456789ABCDEF', 'FEDCBA9876543210'))",
        'hexadecimal': quotient,
        'number': kafka_cdc.hexadecimal_integer('hexadecimal'),
    }, "if(digits < '8', cast(number as string), '-' || cast(try_add(number, 1BD) as string))") }}
{%- endmacro %}
