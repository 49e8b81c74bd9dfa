{# Returns the lines of the setting `sequence_resets` after checking them: topic, partition, offset and topic_incarnation (0 if not said) of the first message of each. #}
{% macro get_sequence_resets() %}
    {%- set lines = var('sequence_resets', []) or [] -%}
    {%- if lines is string or lines is mapping or lines is not iterable -%}
        {{ kafka_cdc.raise_setting_error('sequence_resets', lines, 'a list of lines', 'write - {topic: drs_crm, partition: 0, offset: 81234}') }}
    {%- endif -%}
    {%- set rules = {
        'topic': {'kind': 'pattern', 'needed': true, 'match': '[A-Za-z0-9._/-]+', 'says': 'a topic name', 'example': 'drs_crm'},
        'partition': {'kind': 'integer', 'needed': true},
        'offset': {'kind': 'integer', 'needed': true},
        'topic_incarnation': {'kind': 'integer'},
    } -%}
    {%- for line in lines %}{% do kafka_cdc.check_setting_line('sequence_resets[' ~ loop.index0 ~ ']', line, rules) %}{% endfor -%}
    {{ return(lines) }}
{% endmacro %}
