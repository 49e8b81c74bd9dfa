{#
  Prints an expression: the texts in bytes. Each text follows its length.

  A length is an integer of eight bytes, the highest first. The result is null if a length is cut or
  goes past the end of the bytes. Bytes that are no UTF-8 stay as they are.

  The expression walks over the bytes without recursion: each step of an aggregate reads one text.

  Arguments:
    bytes (string): SQL of the bytes.
    most (string): SQL of the number of texts after which reading ends, an integer.
#}
{% macro length_prefixed_texts(bytes, most) -%}
    {%- set is_whole -%}
    state.position + 7 <= octet_length({{ bytes }}) and length <= octet_length({{ bytes }}) - state.position - 7
    {%- endset -%}

    {%- set next_state -%}
    if(
        {{ is_whole }},
        struct(
            cast(state.position + 8 + length as int) as position,
            array_append(
                state.texts,
                cast(substring({{ bytes }}, state.position + 8, cast(length as int)) as string)
            ) as texts
        ),
        struct(cast(null as int) as position, state.texts as texts)
    )
    {%- endset -%}
    {%- set length = "try_cast(conv(hex(substring(" ~ bytes ~ ", state.position, 8)), 16, 10) as bigint)" -%}

    aggregate(
        sequence(1, greatest({{ most }}, 1)),
        struct(1 as position, cast(array() as array<string>) as texts),
        (state, step) -> if(
            state.position <= octet_length({{ bytes }}),
            {{ kafka_cdc.sql_let({'length': length}, next_state) | indent(12) }},
            state
        ),
        state -> if(state.position is null, null, state.texts)
    )
{%- endmacro %}
