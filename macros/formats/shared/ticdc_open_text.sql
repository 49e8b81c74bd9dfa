{#
  Prints an expression: a message of TiCDC's open protocol as JSON text, or why it cannot be read.

  It is a struct of `text` and `problem`. One of them is null. The text has the keys and values of the
  events in turn. Between them are sentinels with the hash of the message, so that no key or value can
  close its object and hide another one.

  Example: a message of one event gives {"ticdc_sentinel":"A1","ticdc_events":[{"_sentinel":"A1"},
  {"ts":7,"t":3},{"_sentinel":"A1"},null,{"_sentinel":"A1"}]}.

  Requires: the columns `key` and `value` as landed, bytes or base64.
#}
{% macro ticdc_open_text() -%}
    {%- set sentinel = "concat('{\"_sentinel\":\"', ticdc_hash, '\"}')" -%}
    {%- set text -%}
    concat(
        '{"ticdc_sentinel":"', ticdc_hash, '","ticdc_events":[', {{ sentinel }},
        array_join(
            transform(event_keys, (event_key, at) -> concat(
                ',', event_key, ',', {{ sentinel }},
                ',',
                case event_values[at]
                    when '' then 'null'
                    when '{}' then '{"is_empty":"true"}'
                    else event_values[at]
                end,
                ',', {{ sentinel }}
            )),
            ''
        ),
        ']}'
    )
    {%- endset -%}

    {%- set problem -%}
    case
        when coalesce(octet_length(key_bytes), 0) < 8
            then 'the key has no version.'
        when substring(key_bytes, 1, 8) <> X'0000000000000001'
            then concat('the version is 0x', hex(substring(key_bytes, 1, 8)), ', not 1.')
        when value_bytes is null then 'the value is neither bytes nor base64.'
        when event_keys is null then 'a length in the key goes past its end.'
        when event_values is null then 'a length in the value goes past its end.'
        when size(event_keys) = 0 then 'the key has no event.'
        when size(event_keys) <> size(event_values)
            then concat(
                'key and value have different numbers of events: ', size(event_keys), ' and ',
                if(size(event_values) > size(event_keys), 'more', size(event_values)), '.'
            )
    end
    {%- endset -%}

    {%- set nul -%} '\0' {%- endset -%}

    {#- A resolved event may come without a value. -#}
    {%- set value_texts -%}
    if(
        octet_length(value_bytes) = 0 and size(event_keys) = 1,
        array(''),
        {{ kafka_cdc.length_prefixed_texts('value_bytes', 'size(event_keys) + 1') | indent(8) }}
    )
    {%- endset -%}

    {{ kafka_cdc.sql_let({
        'key_bytes': 'if(startswith(key, ' ~ nul ~ "), cast(key as binary), try_to_binary(key, 'base64'))",
        'value_bytes': "if(coalesce(value, '') = '' or startswith(value, " ~ nul ~ '), '
            ~ "cast(coalesce(value, '') as binary), try_to_binary(value, 'base64'))",
        'event_bytes': 'substring(key_bytes, 9)',
        'event_keys': kafka_cdc.length_prefixed_texts('event_bytes', 'octet_length(event_bytes) div 8'),
        'event_values': value_texts,
        'ticdc_hash': 'hex(xxhash64(key, value))',
        'problem': problem,
    }, 'struct(if(problem is null, ' ~ text ~ ', null) as text, problem)') }}
{%- endmacro %}
