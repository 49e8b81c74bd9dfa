{#
  Prints SQL for a struct of what `topics` says of a topic, the first line that matches: format (null: recognised message by
  message), source, timezone, key, replica_identity, encoding.
#}
{% macro topic_settings(topic) -%}
    {%- set types = {'format': 'string', 'source': 'string', 'timezone': 'string', 'key': 'array<string>',
                     'replica_identity': 'string', 'encoding': 'string'} -%}
    {%- set nothing = {} -%}
    {%- set settings = get_topic_settings() -%}
    {%- if settings %}case{% endif -%}
    {%- for setting in settings + [nothing] -%}
        {%- set fields = [] -%}
        {%- for name, type in types.items() -%}
            {%- do fields.append('cast(' ~ sql_text(setting.get(name)) | trim ~ ' as ' ~ type ~ ') as ' ~ name) -%}
        {%- endfor -%}
        {%- if settings %}
            {{ 'when ' ~ matches_globs(topic, setting.topic) ~ ' then' if setting else 'else' }}
        {%- endif %} struct({{ fields | join(', ') }})
    {%- endfor -%}
    {%- if settings %}
        end
    {%- endif -%}
{%- endmacro %}
