{#
  Raises an error with the command that lands messages if the table of raw messages does not exist.

  Models that read raw call it while they render. Other models of a project that installs this
  package run before the first message has landed.
#}
{% macro check_raw() %}
    {%- set raw = source('raw', 'kafka_messages') -%}
    {%- if execute and flags.WHICH in ['run', 'build'] and load_relation(raw) is none -%}
        {{ kafka_cdc.raise_error(
            raw ~ ' does not exist',
            'set raw_schema and raw_table to the table that holds the messages' if kafka_cdc.get_raw_column_mapping()
                else 'land messages first: kafka-cdc land files DIR'
        ) }}
    {%- endif -%}
{% endmacro %}
