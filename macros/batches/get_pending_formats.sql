{#
  Returns the slugs of the formats that the messages of the landing batches (none: of all) are in, in the registry's order; none
  where one of their topics is `auto` or not mapped, so that every format must be tried, and where there is no message.
  A run then costs what its own formats cost, however many there are. batches: as get_pending_batches returns them.
#}
{% macro get_pending_formats(batches) %}
    {%- set raw = kafka_cdc.get_raw_relation() -%}
    {%- if not execute or load_relation(raw) is none %}{{ return(none) }}{% endif -%}
    {%- set query -%}
        select distinct {{ kafka_cdc.topic_settings('topic') }}.format
        from (
            select distinct topic
            from {{ raw }}
            {%- if batches is not none %}
            where {{ kafka_cdc.in_batches_condition(batches) }}
            {%- endif %}
        )
    {%- endset -%}
    {%- set formats = run_query(query).columns[0].values() | list -%}
    {{ return(none if none in formats or not formats else kafka_cdc.get_formats() | select('in', formats) | list) }}
{% endmacro %}
