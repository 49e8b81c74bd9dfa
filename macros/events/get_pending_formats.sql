{#
  Returns the formats of the messages of the landing batches.

  The SQL of a run then has its own formats only, no matter how many there are. Spark plans the SQL
  of all formats in about 15 seconds.

  Arguments:
    batches (optional[list[integer]]): the landing batches, see get_pending_batches. None: all.
    messages (string): SQL of landed_messages_ctes, of the same batches.

  Returns: a dictionary:
    * slugs: the formats, in the order of get_formats. None if all formats must be tried: more than
      500,000 messages have topics that are not mapped, and to read them twice takes longer than to
      plan all formats.
    * are_mapped: whether the setting topics maps every message to a format.
#}
{% macro get_pending_formats(batches, messages) %}
    {%- set raw = kafka_cdc.get_raw_relation() -%}
    {%- if not execute or load_relation(raw) is none -%}
        {{ return({'slugs': none, 'are_mapped': false}) }}
    {%- endif -%}

    {%- set query -%}
        select {{ kafka_cdc.topic_settings('topic') }}.format, sum(messages) as messages
        from (
            select topic, count(*) as messages
            from {{ raw }}
            {%- if batches is not none %}
            where {{ kafka_cdc.in_batches_condition(batches) }}
            {%- endif %}
            group by topic
        )
        group by 1
    {%- endset -%}
    {%- set formats = [] -%}
    {%- set unmapped = namespace(messages=0) -%}
    {%- for format, messages in run_query(query).rows -%}
        {%- if format is none -%}
            {%- set unmapped.messages = messages -%}
        {%- else -%}
            {%- do formats.append(format) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- if unmapped.messages > 500000 or not formats and not unmapped.messages -%}
        {{ return({'slugs': none, 'are_mapped': false}) }}
    {%- elif unmapped.messages -%}
        {%- do formats.extend(kafka_cdc._get_recognized_formats(messages)) -%}
    {%- endif -%}
    {{ return({
        'slugs': kafka_cdc.get_formats() | select('in', formats) | list,
        'are_mapped': unmapped.messages == 0,
    }) }}
{% endmacro %}

{# Returns the formats that are recognized in landed messages, list[string]. #}
{% macro _get_recognized_formats(messages) %}
    {%- set query -%}
        with {{ messages }},

        recognized as (
            {{ kafka_cdc.select_recognized_messages('messages') | indent(12) }}
        )

        select distinct source_format
        from recognized
        where source_format is not null
    {%- endset -%}
    {{ return(run_query(query).columns[0].values() | list) }}
{% endmacro %}
