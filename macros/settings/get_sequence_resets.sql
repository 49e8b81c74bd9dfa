{#
  Returns the lines of the setting `sequence_resets`, checked once while dbt parses and once in a run.

  Returns: a list of dictionaries with the topic, partition and offset of the first message after
    each reset. topic_incarnation may be missing, which means 0.
#}
{% macro get_sequence_resets() %}
    {%- set known = kafka_cdc.get_package_memory() -%}
    {%- if 'sequence_resets' not in known -%}
        {%- do known.update({'sequence_resets': kafka_cdc._read_sequence_resets()}) -%}
    {%- endif -%}
    {{ return(known.sequence_resets) }}
{% endmacro %}

{# Returns the checked lines of the setting `sequence_resets`. #}
{% macro _read_sequence_resets() %}
    {%- set lines = kafka_cdc.get_setting_list(
        setting='sequence_resets',
        valid='a list of lines',
        hint='write - {topic: drs_crm, partition: 0, offset: 81234}'
    ) -%}

    {%- set rules = {
        'topic': {
            'kind': 'pattern',
            'required': true,
            'match': '[A-Za-z0-9._/-]+',
            'description': 'a topic name',
            'example': 'drs_crm',
        },
        'partition': {'kind': 'integer', 'required': true},
        'offset': {'kind': 'integer', 'required': true},
        'topic_incarnation': {'kind': 'integer'},
    } -%}
    {%- for line in lines -%}
        {%- set name = kafka_cdc.get_entry_name('sequence_resets', line, loop.index) -%}
        {%- do kafka_cdc.check_setting_line(name, line, rules) -%}
    {%- endfor -%}

    {{ return(lines) }}
{% endmacro %}
