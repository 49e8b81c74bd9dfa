{#
  Returns the formats that messages of the lake may have, list[string].

  They are those of events, of messages that no build has read yet, and of the setting topics.

  A build gives the other formats a staging view without rows, because Spark takes a second to
  analyze the SQL of a format. A replay, and a raw table of another tool, may have any format. A run
  asks once.
#}
{% macro get_used_formats() %}
    {%- if var('replay', none) is not none or kafka_cdc.get_raw_column_mapping() -%}
        {{ return(kafka_cdc.get_formats()) }}
    {%- endif -%}

    {%- set memory = kafka_cdc.get_run_memory() -%}
    {%- if 'used_formats' not in memory -%}
        {%- set slugs = kafka_cdc.get_topic_settings() | map(attribute='format') | list -%}
        {%- set batch_stats = kafka_cdc.get_model_relation('event_batch_stats') -%}
        {%- if kafka_cdc.has_table(batch_stats) -%}
            {%- do slugs.extend(kafka_cdc.get_facts(kafka_cdc.get_versioned_relation(batch_stats)).formats) -%}
        {%- endif -%}
        {%- set batches = kafka_cdc.get_pending_batches(kafka_cdc.get_model_relation('events')) -%}
        {%- if batches != [] -%}
            {%- set pending = kafka_cdc.get_pending_formats(batches).slugs -%}
            {%- do slugs.extend(kafka_cdc.get_formats() if pending is none else pending) -%}
        {%- endif -%}
        {%- do memory.update({'used_formats': kafka_cdc.get_formats() | select('in', slugs) | list}) -%}
    {%- endif -%}
    {{ return(memory.used_formats) }}
{% endmacro %}
