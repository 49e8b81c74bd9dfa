{#
  Prints an expression: a value of a MongoDB document from its typed JSON text (Extended JSON).

  The result is null if the value has another type.

  Arguments:
    text (string): SQL of the text.
    type (string): `int`, `long`, `double`, `decimal`, `bool`, `string`, `objectid` (its 24
      digits), `uuid`, `date` (an instant) or `bindata` (in the form of version 1 or
      2 of Extended JSON).
#}
{% macro decode_extended_json(text, type) -%}
    {%- set number_pattern = "r'^\\{\"\\$number(?:Int|Long|Double|Decimal)\":\"([^\"]*)\"\\}\\z'" -%}
    {%- set number = 'regexp_replace(' ~ text ~ ', ' ~ number_pattern ~ ", '$1')" -%}

    {%- set date_pattern = "r'^\\{\"\\$date\":(?:\\{\"\\$number" ~ "Long\":)?\"?([^\"{}]*)\"?\\}*\\z'" -%}
    {%- set date_text = 'regexp_extract(' ~ text ~ ', ' ~ date_pattern ~ ', 1)' -%}
    {%- set instant = 'coalesce(' ~ kafka_cdc.decode_epoch_timestamp('date_text', 'ms') ~ ', '
        ~ kafka_cdc.decode_timestamp('date_text') ~ ')' -%}

    {%- if type == 'int' -%}
    {{ kafka_cdc.decode_integer(number, 'int') }}
    {%- elif type == 'long' -%}
    {{ kafka_cdc.decode_integer(number, 'bigint') }}
    {%- elif type == 'double' -%}
    {{ kafka_cdc.decode_float(number, 'double') }}
    {%- elif type == 'decimal' -%}
    {{ kafka_cdc.decode_decimal(number, 38, 18) }}
    {%- elif type == 'bool' -%}
    if({{ text }} in ('true', 'false'), {{ text }} = 'true', null)
    {%- elif type == 'string' -%}
    from_json(concat('{"text":', if({{ text }} like '"%', {{ text }}, null), '}'), 'text string').text
    {%- elif type == 'objectid' -%}
    nullif(regexp_extract({{ text }}, r'^\{"\$oid":"([0-9a-fA-F]{24})"\}\z', 1), '')
    {%- elif type == 'uuid' -%}
    nullif(regexp_extract({{ text }}, r'^\{"\$uuid":"([0-9a-fA-F-]{36})"\}\z', 1), '')
    {%- elif type == 'date' -%}
    {{ kafka_cdc.sql_let({'date_text': date_text}, instant) }}
    {%- elif type == 'bindata' -%}
    {%- set version_1_pattern = "r'^\\{\"\\$binary\":\"([^\"]*)\",\"\\$type\":\"[0-9a-fA-F]{1,2}\"\\}\\z'" -%}
    try_to_binary(
        if(
            {{ text }} rlike {{ version_1_pattern }},
            regexp_extract({{ text }}, {{ version_1_pattern }}, 1),
            from_json({{ text }}, 'struct<`$binary`: struct<base64: string>>').`$binary`.base64
        ),
        'base64'
    )
    {%- else -%}
    {{ kafka_cdc.raise_error(
        'decode_extended_json does not know the type ' ~ type,
        'seeds/source_types.csv lists the valid types'
    ) }}
    {%- endif -%}
{%- endmacro %}
