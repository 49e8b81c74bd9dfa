{#
  Prints an expression: the digits of a whole number from the base64 of its two's complement.

  It is base64_integer for numbers of any length, in some hundred steps per value. A number of
  Oracle without scale needs it: 1.5 arrives as 15 and 126 zeros.

  Arguments:
    text (string): SQL of the base64.
    most_digits (integer): the result is null if the number has clearly more decimal digits.
#}
{% macro base64_long_integer(text, most_digits) -%}
    {#-
      The number is an array of parts with nine decimal digits each, the lowest first. Eight
      hexadecimal digits at a time, it is multiplied by 2^32 and they are added. No product exceeds
      a bigint.
    -#}
    {%- set steps -%}
    concat(
        transform(
            regexp_extract_all(lpad(magnitude, cast(ceil(length(magnitude) / 8) * 8 as int), '0'), '.{8}', 0),
            part -> named_struct('factor', 4294967296L, 'summand', cast(conv(part, 16, 10) as bigint))
        ),
        if(digits < '8', array(), array(named_struct('factor', 1L, 'summand', 1L)))
    )
    {%- endset -%}

    {%- set next_parts -%}
    aggregate(
        parts,
        named_struct('done', cast(array() as array<bigint>), 'carry', step.summand),
        (state, part) -> named_struct(
            'done', concat(state.done, array((part * step.factor + state.carry) % 1000000000L)),
            'carry', (part * step.factor + state.carry) div 1000000000L
        ),
        state -> concat(state.done, slice(
            array(state.carry % 1000000000L, state.carry div 1000000000L),
            1,
            case when state.carry = 0 then 0 when state.carry < 1000000000 then 1 else 2 end
        ))
    )
    {%- endset -%}

    {%- set number -%}
    aggregate(
        {{ steps | indent(8) }},
        cast(array() as array<bigint>),
        (parts, step) -> {{ next_parts | indent(8) }},
        parts -> coalesce(
            nullif(
                trim(leading '0' from array_join(
                    transform(reverse(parts), part -> lpad(cast(part as string), 9, '0')),
                    ''
                )),
                ''
            ),
            '0'
        )
    )
    {%- endset -%}

    {#- A negative number -n has the inverted bits of n - 1. Longer texts would take quadratic time. -#}
    {{ kafka_cdc.sql_let({
        'all_digits': "nullif(hex(try_to_binary(" ~ text ~ ", 'base64')), '')",
        'digits': 'if(length(all_digits) <= ' ~ (most_digits + 2) ~ ', all_digits, null)',
        'magnitude': "if(digits < '8', digits, translate(digits, '0123456789ABCDEF', 'FEDCBA9876543210'))",
        'number': number,
    }, "if(digits < '8', number, '-' || number)") }}
{%- endmacro %}
