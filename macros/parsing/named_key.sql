{#
  Prints an expression: the Kafka key as a map of column to text, for keys with or without names.

  An object has its own names. An array and a bare value have none: their columns are those of the
  topic's setting `key`, in its order. The key may be in Kafka Connect's schema envelope. The
  result is null if the message has no key, or if the setting has another number of columns.

  Example: the key ["eu",7] of a topic with `key: [region, id]` gives {"region":"eu","id":"7"}.

  Arguments:
    text (string): SQL of the key, by default the column `kafka_key`.
    names (string): SQL of the names for a key without names, array<string>. By default the
      setting `key` of the topic.
#}
{% macro named_key(text='kafka_key', names='settings.key') -%}
    {#- A bare value is a JSON value, or the text of a string serializer. -#}
    {%- set bare_value -%}
    if(
        {{ text }} rlike r'^\s*"',
        coalesce(get(from_json(concat('[', {{ text }}, ']'), 'array<string>'), 0), {{ text }}),
        {{ text }}
    )
    {%- endset -%}

    {%- set payload -%}
    from_json({{ kafka_cdc._exact_key(text) }}, 'schema struct<type: string>, payload string')
    {%- endset -%}

    {#- The envelope of a bare value whose schema is null. -#}
    {%- set is_bare_payload -%}
    {{ text }} rlike r'^\s*\{\s*"schema"\s*:\s*null\s*,\s*"payload"\s*:\s*["0-9tf-]'
    and size(array_except(json_object_keys({{ text }}), array('schema', 'payload'))) = 0
    {%- endset -%}

    {%- set values -%}
    case
        when {{ text }} rlike r'^\s*\[' then from_json({{ kafka_cdc._exact_key(text) }}, 'array<string>')
        when {{ text }} rlike r'^\s*\{'
            then {{ kafka_cdc.sql_let(
                {'enveloped_key': payload},
                "if(enveloped_key.schema.type not in ('struct', 'map') or " ~ is_bare_payload
                    ~ ', array(enveloped_key.payload), null)'
            ) | indent(12) }}
        when {{ text }} rlike r'^\s*(?:null)?\s*\z' then null
        else array({{ bare_value | indent(12) }})
    end
    {%- endset -%}

    {{ kafka_cdc.sql_let({'key_values': values}, kafka_cdc._named_or_own_key(text, names)) }}
{%- endmacro %}

{# Prints an expression: the values of a key with the configured names, or the key's own members. #}
{% macro _named_or_own_key(text, names) -%}
    case
        when key_values is null then {{ kafka_cdc.message_key(text) | indent(8) }}
        when size(key_values) = size({{ names }}) and not exists(key_values, part -> part is null)
            then {{ kafka_cdc.safe_map_from_arrays(names, 'key_values') | indent(12) }}
    end
{%- endmacro %}

{# Prints an expression: the text of a JSON key in which numbers keep their digits. #}
{% macro _exact_key(text) -%}
    if({{ text }} rlike r'[0-9][.eE]|-0', {{ kafka_cdc.quote_numbers(text, "''") }}, {{ text }})
{%- endmacro %}
