{#
  Prints an expression: the value of an item of an image of Alibaba DTS Avro.

  It is a struct of the value's text, whether the image lacks the column (is_absent), and whether
  the value cannot be decoded (is_unreadable).

  Arguments:
    is_json (string): SQL of whether the column is a type whose bytes are the UTF-8 of a JSON text.

  Requires: the lambda variable `item` (a parsed item), the format variable `digits`.
#}
{% macro alibaba_dts_avro_value(is_json) -%}
    {%- set numbers = 'array(time.year, time.month, time.day, time.hour, time.minute, time.second, time.millis)' -%}
    {%- set date_time = kafka_cdc.sql_let(
        {'time': 'coalesce(item.member_datetime, item.member_timestampwithtimezone.value)'},
        kafka_cdc.date_time_text(numbers, 'digits')
    ) -%}
    {%- set text -%}
    coalesce(
        item.member_integer.value,
        item.member_decimal.value,
        item.member_textobject.value,
        item.member_textgeometry.value,
        cast(item.member_float.value as string),
        if(
            {{ is_json }},
            try_validate_utf8(cast(item.member_binaryobject.value as string)),
            base64(coalesce(item.member_binaryobject.value, item.member_binarygeometry.value))
        ),
        {{ kafka_cdc.decoded_text('item.member_character.value', 'item.member_character.charset') | indent(8) }},
        if(
            item.member_timestamp.millis between 0 and 999999,
            concat(item.member_timestamp.timestamp, '.', lpad(item.member_timestamp.millis, 6, '0')),
            null
        ),
        concat(
            {{ date_time | indent(12) }},
            coalesce(concat(' ', item.member_timestampwithtimezone.timezone), '')
        )
    )
    {%- endset -%}
    {%- set value -%}
    struct(
        text,
        coalesce(item.member_emptyobject = 'NONE', false) as is_absent,
        item is not null and item.member_emptyobject is null and text is null as is_unreadable
    )
    {%- endset -%}
    {{ kafka_cdc.sql_let({'text': text}, value) }}
{%- endmacro %}
