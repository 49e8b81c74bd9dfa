{#
  Raises an error if the raw table belongs to another tool. Only that tool can erase rows from it.
#}
{% macro check_raw_is_rewritable() %}
    {%- if kafka_cdc.get_raw_column_mapping() -%}
        {{ kafka_cdc.raise_error(
            'the raw table belongs to another tool (setting raw_column_mapping), which alone can erase a row from it',
            'in that table set key and value of the messages to null and keep their coordinates, '
                ~ 'replay the topics, then run maintain_tables with keep_days 0'
        ) }}
    {%- endif -%}
{% endmacro %}
