{#
  Returns the lines of the setting `topics` after checking them: topic (a list of globs), format (none for auto), source,
  timezone, key, replica_identity and encoding (for landing), each none where a line does not say it.
#}
{% macro get_topic_settings() %}
    {%- set lines = var('topics', []) or [] -%}
    {%- if lines is string or lines is mapping or lines is not iterable -%}
        {{ kafka_cdc.raise_setting_error('topics', lines, 'a list of lines', 'write - {topic: orders_*, format: auto}') }}
    {%- endif -%}
    {%- set rules = {
        'topic': {'kind': 'patterns', 'needed': true, 'match': '[A-Za-z0-9._*?/-]+', 'example': "'drs_*'",
                  'says': 'a topic name, or a glob of * and ?'},
        'format': {'kind': 'choice', 'valid': ['auto'] + kafka_cdc.get_formats(), 'hint': 'README, Formats, lists what each reads'},
        'source': {'kind': 'text'},
        'timezone': {'kind': 'timezone'},
        'key': {'kind': 'columns', 'match': '.+', 'says': 'a column name', 'example': '[id]'},
        'replica_identity': {'kind': 'choice', 'valid': ['default', 'full']},
        'encoding': {'kind': 'choice', 'valid': ['text', 'base64']},
    } -%}
    {%- set settings, without_source = [], [] -%}
    {%- for line in lines -%}
        {%- do kafka_cdc.check_setting_line('topics[' ~ loop.index0 ~ ']', line, rules) -%}
        {%- set setting = {} -%}
        {%- for key in rules %}{% do setting.update({key: line.get(key)}) %}{% endfor -%}
        {%- do setting.update({'topic': [line.topic] if line.topic is string else line.topic}) -%}
        {%- do setting.update({'format': none if setting.format == 'auto' else setting.format}) -%}
        {%- set twin = settings | selectattr('format', 'equalto', setting.format) | rejectattr('format', 'none') | list -%}
        {%- if twin and (setting.source is none or twin | selectattr('source', 'none') | list) -%}
            {{ kafka_cdc.raise_setting_error('topics[' ~ loop.index0 ~ '].source', setting.source, 'a text on every line of ' ~ setting.format,
                            'two lines read one format: without names their tables would be taken for the same') }}
        {%- endif -%}
        {%- do settings.append(setting) -%}
    {%- endfor -%}
    {{ return(settings) }}
{% endmacro %}
