{#
  Prints an expression: the settings of a topic, a struct.

  The first line of the setting `topics` that matches counts. The fields are format, source,
  timezone, key, replica_identity, binlog_row_image, operation_column, encoding and entry, the number of
  the line as text. A format of null means that the format of each message is recognized.

  Arguments:
    topic (string): SQL of the topic.
#}
{% macro topic_settings(topic) -%}
    {%- set known = kafka_cdc.get_package_memory() -%}
    {%- if 'settings_by_topic' not in known -%}
        {%- do known.update({'settings_by_topic': kafka_cdc._get_settings_by_topic()}) -%}
    {%- endif -%}
    {%- set lines = known.settings_by_topic -%}
    {%- set by_pattern -%}
        {%- if lines.patterns -%}
case
            {%- for line in lines.patterns %}
    when {{ kafka_cdc.globs_condition(topic, line.globs) }} then {{ line.settings }}
            {%- endfor %}
    else {{ lines.otherwise }}
end
        {%- else -%}
            {{ lines.otherwise }}
        {%- endif -%}
    {%- endset -%}

    {%- if lines.names -%}
coalesce(
    map(
        {%- for name, settings in lines.names.items() %}
        {{ kafka_cdc.sql_literal(name) }}, {{ settings }}{{ ',' if not loop.last }}
        {%- endfor %}
    )[{{ topic }}],
    {{ by_pattern | indent(4) }}
)
    {%- else -%}
        {{ by_pattern }}
    {%- endif -%}
{%- endmacro %}

{#
  Returns the settings of topics, each as SQL of a struct.

  `names` contains those of whole names, which a message finds without comparing each. `patterns` are
  the lines with globs, in order. `otherwise` is for topics that no line matches.
#}
{% macro _get_settings_by_topic() %}
    {%- set names = {} -%}
    {%- set patterns = [] -%}
    {%- for line in kafka_cdc.get_topic_settings() -%}
        {%- set settings = kafka_cdc._topic_settings_struct(dict(line, entry=loop.index ~ '')) -%}

        {%- set globs = [] -%}
        {%- for glob in line.topic -%}
            {%- if '*' in glob or '?' in glob -%}
                {%- do globs.append(glob) -%}
            {%- else -%}
                {#- The first line that matches counts, which may be an earlier one with a glob. -#}
                {%- for pattern in patterns -%}
                    {%- for earlier in pattern.globs if kafka_cdc.has_glob_match(glob, earlier) -%}
                        {%- do names.setdefault(glob, pattern.settings) -%}
                    {%- endfor -%}
                {%- endfor -%}
                {%- do names.setdefault(glob, settings) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if globs -%}
            {%- do patterns.append({'globs': globs, 'settings': settings}) -%}
        {%- endif -%}
    {%- endfor -%}

    {{ return({
        'names': names,
        'patterns': patterns,
        'otherwise': kafka_cdc._topic_settings_struct({}),
    }) }}
{% endmacro %}

{# Prints an expression: the settings of a line as a struct. #}
{% macro _topic_settings_struct(line) -%}
    {%- set types = {
        'format': 'string',
        'source': 'string',
        'timezone': 'string',
        'key': 'array<string>',
        'replica_identity': 'string',
        'binlog_row_image': 'string',
        'operation_column': 'string',
        'encoding': 'string',
        'entry': 'string',
    } -%}
    {%- set fields = [] -%}
    {%- for name, type in types.items() -%}
        {%- set value = kafka_cdc.sql_literal(line.get(name)) -%}
        {%- do fields.append(('cast(null as ' ~ type ~ ')' if value == 'null' else value) ~ ' as ' ~ name) -%}
    {%- endfor -%}
    struct({{ fields | join(', ') }})
{%- endmacro %}
