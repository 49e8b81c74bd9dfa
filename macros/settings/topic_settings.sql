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
        {%- for name, line in lines.names.items() %}
        {{ kafka_cdc.sql_literal(name) }}, {{ line.settings }}{{ ',' if not loop.last }}
        {%- endfor %}
    )[{{ topic }}],
    {{ by_pattern | indent(4) }}
)
    {%- else -%}
        {{ by_pattern }}
    {%- endif -%}
{%- endmacro %}

{#
  Returns the lines by topic, see get_lines_by_topic, each with its `settings`, SQL of a struct.

  A message finds the line of a whole name without comparing each. `otherwise` is for topics that no
  line matches.
#}
{% macro _get_settings_by_topic() %}
    {%- set lines = [] -%}
    {%- for line in kafka_cdc.get_topic_settings() -%}
        {%- set settings = kafka_cdc._topic_settings_struct(dict(line, entry=loop.index ~ '')) -%}
        {%- do lines.append(dict(line, settings=settings)) -%}
    {%- endfor -%}

    {{ return(dict(
        kafka_cdc.get_lines_by_topic(lines),
        otherwise=kafka_cdc._topic_settings_struct({})
    )) }}
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
