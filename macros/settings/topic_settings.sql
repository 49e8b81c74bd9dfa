{#
  Prints an expression: the settings of a topic, a struct.

  The first line of the setting `topics` that matches counts. The fields are format, source,
  timezone, key, replica_identity, encoding and envelope, the number of the envelope as text. A
  format of null means that the format of each message is recognized.

  Arguments:
    topic (string): SQL of the topic.
#}
{% macro topic_settings(topic) -%}
    {%- set types = {
        'format': 'string',
        'source': 'string',
        'timezone': 'string',
        'key': 'array<string>',
        'replica_identity': 'string',
        'encoding': 'string',
        'envelope': 'string',
    } -%}
    {%- set settings = [] -%}
    {%- set envelopes = namespace(count=0) -%}
    {%- for line in kafka_cdc.get_topic_settings() -%}
        {%- set has_envelope = line.envelope is not none -%}
        {%- do settings.append(dict(line, envelope=envelopes.count ~ '' if has_envelope else none)) -%}
        {%- set envelopes.count = envelopes.count + (1 if has_envelope else 0) -%}
    {%- endfor -%}
    {%- set no_setting = {} -%}

    {%- if settings %}case{% endif -%}
    {%- for setting in settings + [no_setting] -%}
        {%- set fields = [] -%}
        {%- for name, type in types.items() -%}
            {%- set value = kafka_cdc.sql_literal(setting.get(name)) -%}
            {%- do fields.append('cast(' ~ value ~ ' as ' ~ type ~ ') as ' ~ name) -%}
        {%- endfor -%}
        {%- if settings %}
            {{ 'when ' ~ kafka_cdc.globs_condition(topic, setting.topic) ~ ' then' if setting else 'else' }}
        {%- endif %} struct({{ fields | join(', ') }})
    {%- endfor -%}
    {%- if settings %}
        end
    {%- endif -%}
{%- endmacro %}
