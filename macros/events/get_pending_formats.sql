{#
  Returns the formats of the messages of the landing batches.

  The SQL of a run then has its own formats only, no matter how many there are. Spark plans the SQL
  of all formats in about 15 seconds. A run asks once for the same batches.

  Arguments:
    batches (optional[list[integer]]): the landing batches, see get_pending_batches. None: all.

  Returns: a dictionary:
    * slugs: the formats, in the order of get_formats. None if there are no messages.
    * topics: the topics that are not mapped, by the one format of all their messages (dict[string,
      list[string]]), so that events need not recognize each message again. None if a topic has
      messages of several formats or of none, if there are more than 1,000 topics, or if more messages
      may land before they are read.
    * messages: SQL of landed_messages_ctes, of these batches. It unpacks binary frames only if
      messages of these batches have some, because Spark plans that SQL in about 0.3 seconds.
#}
{% macro get_pending_formats(batches) %}
    {%- if not execute -%}
        {{ return(kafka_cdc._ask_for_formats(batches)) }}
    {%- endif -%}
    {%- set known = kafka_cdc.get_run_memory().setdefault('pending_formats', {}) -%}
    {%- set question = tojson(batches) -%}
    {%- if question not in known -%}
        {%- do known.update({question: kafka_cdc._ask_for_formats(batches)}) -%}
    {%- endif -%}
    {{ return(known[question]) }}
{% endmacro %}

{# Returns the answer of get_pending_formats from a query. #}
{% macro _ask_for_formats(batches) %}
    {%- set raw = kafka_cdc.get_raw_relation() -%}
    {%- if not execute or load_relation(raw) is none -%}
        {{ return({'slugs': none, 'topics': none, 'messages': kafka_cdc.landed_messages_ctes(batches)}) }}
    {%- endif -%}

    {#- What lands from now on is left to the next run. The batches of another tool's table may still grow. -#}
    {%- set is_landed = not kafka_cdc.get_raw_column_mapping() -%}
    {%- if batches is none and is_landed -%}
        {%- set listed = run_query('select distinct landing_batch from ' ~ raw ~ ' order by 1 limit 1001') -%}
        {%- set batches = listed.columns[0].values() | list if listed.rows | length <= 1000 else none -%}
    {%- endif -%}

    {%- set query -%}
        select
            {{ kafka_cdc.topic_settings('topic') }}.format,
            sum(messages) as messages,
            bool_or(has_frames) as has_frames
        from (
            select
                topic,
                count(*) as messages,
                bool_or({{ kafka_cdc._frames_condition() }}) as has_frames
            from {{ raw }}
            {%- if batches is not none %}
            where {{ kafka_cdc.in_batches_condition(batches) }}
            {%- endif %}
            group by topic
        )
        group by 1
    {%- endset -%}
    {%- set formats = [] -%}
    {#- Without a list of batches, more messages may land before they are read. -#}
    {%- set unmapped = namespace(messages=0, has_frames=batches is none) -%}
    {%- for format, messages, has_frames in run_query(query).rows -%}
        {%- if format is none -%}
            {%- set unmapped.messages = messages -%}
            {%- set unmapped.has_frames = unmapped.has_frames or has_frames -%}
        {%- else -%}
            {%- do formats.append(format) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set unpacked = none if unmapped.has_frames and (unmapped.messages or not formats) else formats | list -%}
    {%- set messages = kafka_cdc.landed_messages_ctes(batches, unpacked) -%}

    {%- if not formats and not unmapped.messages -%}
        {{ return({'slugs': none, 'topics': none, 'messages': messages}) }}
    {%- endif -%}
    {%- set topics = kafka_cdc._get_recognized_topics(messages) if unmapped.messages else {} -%}
    {%- do formats.extend(topics | reject('none')) -%}
    {#- The SQL of events names each of the topics. -#}
    {%- set has_few_topics = topics.values() | sum(start=[]) | length <= 1000 -%}
    {%- set has_one_format_each = none not in topics and has_few_topics and batches is not none and is_landed -%}
    {{ return({
        'slugs': kafka_cdc.get_formats() | select('in', formats) | list,
        'topics': topics if has_one_format_each or not unmapped.messages else none,
        'messages': messages,
    }) }}
{% endmacro %}

{# Prints a condition: the key of a message of a topic without a mapping begins with the frames of a format. #}
{% macro _frames_condition() -%}
    {%- set conditions = [] -%}
    {%- for slug in kafka_cdc.get_formats() if kafka_cdc.get_format(slug).frames -%}
        {%- do conditions.append('coalesce(' ~ kafka_cdc.get_format(slug).frames.condition ~ ', false)') -%}
    {%- endfor -%}
    {{ conditions | join(' or ') or 'false' }}
{%- endmacro %}

{#
  Returns the topics that are not mapped, by the formats that are recognized in their messages.

  None stands for topics with messages of several formats, of none, or of an ambiguous one. Their
  formats have an entry, too.

  Returns: dict[optional[string], list[string]].
#}
{% macro _get_recognized_topics(messages) %}
    {%- set query -%}
        with {{ messages }},

        recognized as (
            {{ kafka_cdc.select_recognized_messages('messages') | indent(12) }}
        )

        select kafka_topic, to_json(collect_set(coalesce(source_format, ''))) as formats
        from recognized
        where settings.format is null and not is_tombstone
        group by kafka_topic
    {%- endset -%}
    {%- set topics = {} -%}
    {%- for topic, formats in run_query(query).rows -%}
        {%- set slugs = fromjson(formats) -%}
        {%- do topics.setdefault(slugs[0] or none if slugs | length == 1 else none, []).append(topic) -%}
        {%- for slug in slugs if slug -%}
            {%- do topics.setdefault(slug, []) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(topics) }}
{% endmacro %}
