{#
  Returns the formats of the messages of the landing batches.

  A run then tries only its own formats, no matter how many there are.

  Arguments:
    batches (optional[list[integer]]): the landing batches, see get_pending_batches. None: all.

  Returns: a list of slugs, in the order of get_formats. None if a topic is `auto` or not mapped, so
    that every format must be tried, and if there is no message.
#}
{% macro get_pending_formats(batches) %}
    {%- set raw = kafka_cdc.get_raw_relation() -%}
    {%- if not execute or load_relation(raw) is none -%}
        {{ return(none) }}
    {%- endif -%}

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

    {%- if none in formats or not formats -%}
        {{ return(none) }}
    {%- endif -%}
    {{ return(kafka_cdc.get_formats() | select('in', formats) | list) }}
{% endmacro %}
