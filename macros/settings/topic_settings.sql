{#
  Prints SQL for a struct of what `topics` says of a topic, the first line that matches: format (null: recognized message by
  message), source, timezone, key, replica_identity, encoding.
#}
{% macro topic_settings(topic) -%}
    {%- set types = {'format': 'string', 'source': 'string', 'timezone': 'string', 'key': 'array<string>',
                     'replica_identity': 'string', 'encoding': 'string'} -%}
    {%- set nothing = {} -%}
    {%- set settings = kafka_cdc.get_topic_settings() -%}
    {%- if settings %}case{% endif -%}
    {%- for setting in settings + [nothing] -%}
        {%- set fields = [] -%}
        {%- for name, type in types.items() -%}
            {%- do fields.append('cast(' ~ kafka_cdc.sql_literal(setting.get(name)) | trim ~ ' as ' ~ type ~ ') as ' ~ name) -%}
        {%- endfor -%}
        {%- if settings %}
            {{ 'when ' ~ kafka_cdc.globs_condition(topic, setting.topic) ~ ' then' if setting else 'else' }}
        {%- endif %} struct({{ fields | join(', ') }})
    {%- endfor -%}
    {%- if settings %}
        end
    {%- endif -%}
{%- endmacro %}
