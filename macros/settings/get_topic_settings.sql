{#
  Returns the lines of the setting `topics`, checked once while dbt parses and once in a run.

  Returns: a list of dictionaries with all keys of a line. Keys that a line lacks are none.
    `topic` is a list of globs, and `format` is none for auto. Only landing uses `encoding`,
    and only monitoring uses `expect`. `envelope` is checked, see get_envelope.
#}
{% macro get_topic_settings() %}
    {%- set known = kafka_cdc.get_package_memory() -%}
    {%- if 'topics' not in known -%}
        {%- do known.update({'topics': kafka_cdc._read_topics()}) -%}
    {%- endif -%}
    {{ return(known.topics) }}
{% endmacro %}

{# Returns the checked lines of the setting `topics`. #}
{% macro _read_topics() %}
    {%- set lines = kafka_cdc.get_setting_list(
        setting='topics',
        valid='a list of lines',
        hint='write - {topic: orders_*, format: auto}'
    ) -%}

    {%- set rules = {
        'topic': {
            'kind': 'patterns',
            'required': true,
            'match': '[A-Za-z0-9._*?/-]+',
            'description': 'a topic name, or a glob of * and ?',
            'example': "'drs_*'",
        },
        'format': {
            'kind': 'choice',
            'valid': ['auto'] + kafka_cdc.get_formats(),
            'hint': 'docs/formats/index.md lists what each format reads',
        },
        'source': {'kind': 'text'},
        'timezone': {'kind': 'timezone'},
        'key': {'kind': 'columns', 'match': '.+', 'description': 'a column name', 'example': '[id]'},
        'replica_identity': {'kind': 'choice', 'valid': ['default', 'full']},
        'binlog_row_image': {'kind': 'choice', 'valid': ['full', 'minimal', 'noblob']},
        'operation_column': {'kind': 'text'},
        'encoding': {'kind': 'choice', 'valid': ['text', 'base64']},
        'expect': {'kind': 'mapping', 'example': '{max_lag: 15m, max_silence: 1h}'},
        'envelope': {'kind': 'mapping', 'example': '{operation: op, operations: {I: insert}, after: row}'},
    } -%}
    {%- set expectations = {
        'max_lag': {'kind': 'duration', 'example': '15m'},
        'max_silence': {'kind': 'duration', 'example': '1h'},
        'action': {'kind': 'choice', 'valid': ['warn', 'fail']},
        'max_rejected': {'kind': 'integer'},
        'max_lost': {'kind': 'integer'},
    } -%}

    {%- set settings = [] -%}
    {%- for line in lines -%}
        {%- set name = kafka_cdc.get_entry_name('topics', line, loop.index) -%}
        {%- do kafka_cdc.check_setting_line(name, line, rules) -%}
        {%- do kafka_cdc.check_setting_line(name ~ '.expect', line.get('expect', {}), expectations) -%}

        {%- set setting = {} -%}
        {%- for key in rules -%}
            {%- do setting.update({key: line.get(key)}) -%}
        {%- endfor -%}
        {%- do setting.update({
            'topic': [line.topic] if line.topic is string else line.topic,
            'format': none if setting.format == 'auto' else setting.format,
        }) -%}

        {%- if setting.envelope is not none -%}
            {%- do setting.update({'envelope': kafka_cdc.get_envelope(name ~ '.envelope', setting.envelope)}) -%}
        {%- endif -%}
        {%- do settings.append(setting) -%}
    {%- endfor -%}

    {{ return(settings) }}
{% endmacro %}
