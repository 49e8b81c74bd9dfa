{#
  Prints a SELECT: the rows of topic_expectations, one per topic with what it should do and does.

  A topic without max_silence is judged by the 56 days before its last message. It is silent for too
  long if it is silent for more than silence_factor times the longest time between two landing
  batches with its messages. It needs 20 such batches, and a history of 28 days, so that it contains
  weekends. A silence below an hour is never too long, and one above 56 days is no longer reported.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    now (string): SQL of the current time.
#}
{% macro select_topic_expectations(batch_stats, now='current_timestamp()') -%}
{%- set factor = kafka_cdc.get_silence_factor() -%}
{%- set settings = kafka_cdc.get_topic_settings() -%}
{%- set expected_topics = kafka_cdc._get_topics_with_max_silence(settings) -%}
with batches as (
    select
        kafka_topic,
        landing_batch,
        max(landed_at) as landed_at,
        coalesce(max(last_kafka_timestamp), max(landed_at)) as message_at,
        coalesce(max(last_occurred_at), max(last_kafka_timestamp)) as happened_at
    from {{ batch_stats }}
    group by kafka_topic, landing_batch
),

gaps as (
    select
        *,
        unix_seconds(message_at) - unix_seconds(
            lag(message_at) over (partition by kafka_topic order by message_at, landing_batch)
        ) as gap_seconds,
        message_at > max(message_at) over (partition by kafka_topic) - interval 56 days as is_recent
    from batches
),

history as (
    select
        kafka_topic,
        max(message_at) as last_message_at,
        max(landed_at) as last_landed_at,
        max(
            struct(landed_at, unix_seconds(landed_at) - unix_seconds(happened_at) as lag_seconds)
        ).lag_seconds as lag_seconds,
        if(
            min(message_at) <= max(message_at) - interval 28 days and count_if(is_recent) >= 20,
            max(if(is_recent, gap_seconds, null)),
            null
        ) as longest_gap_seconds
    from gaps
    group by kafka_topic
),

topics as (
    select *
    from history
    {%- if expected_topics %}
    union all
    select
        expected.kafka_topic,
        cast(null as timestamp) as last_message_at,
        cast(null as timestamp) as last_landed_at,
        cast(null as bigint) as lag_seconds,
        cast(null as bigint) as longest_gap_seconds
    from (select explode({{ kafka_cdc.sql_literal(expected_topics) }}) as kafka_topic) as expected
    left anti join history
        on expected.kafka_topic = history.kafka_topic
    {%- endif %}
),

expectations as (
    select
        *,
        unix_seconds({{ now }}) - unix_seconds(last_message_at) as silent_seconds,
        {{ kafka_cdc.topic_expectation(settings, 'max_lag', type='string') | indent(8) }} as max_lag,
        {{ kafka_cdc.topic_expectation(settings, 'max_silence', type='string') | indent(8) }} as max_silence,
        coalesce({{ kafka_cdc.topic_expectation(settings, 'action', type='string') | indent(8) }}, 'warn') as action
    from topics
),

limits as (
    select
        *,
        {{ kafka_cdc._duration_seconds('max_lag') }} as max_lag_seconds,
        {{ kafka_cdc._duration_seconds('max_silence') }} as max_silence_seconds,
        {% if factor %}cast(greatest(3600, {{ factor }} * longest_gap_seconds) as bigint){% else -%}
        cast(null as bigint){% endif %} as usual_silence_seconds
    from expectations
)

select
    kafka_topic,
    last_message_at,
    last_landed_at,
    lag_seconds,
    max_lag_seconds,
    silent_seconds,
    max_silence_seconds,
    longest_gap_seconds,
    action,
    filter(
        array(
            if(
                lag_seconds > max_lag_seconds,
                concat(
                    'topic ', kafka_topic, ': the newest batch landed ', lag_seconds,
                    ' seconds after the source changed, and expect.max_lag is ', max_lag,
                    '. Look at the connector and at the schedule of the landing, or raise max_lag in topics'
                ),
                null
            ),
            if(
                last_message_at is null,
                concat(
                    'topic ', kafka_topic, ': no message has landed, and expect.max_silence is ', max_silence,
                    '. Look at the connector and at the landing, or remove expect from topics'
                ),
                null
            ),
            if(
                silent_seconds > max_silence_seconds,
                concat(
                    'topic ', kafka_topic, ': no message for ', silent_seconds,
                    ' seconds, and expect.max_silence is ', max_silence,
                    '. Look at the connector and at the landing, or raise max_silence in topics'
                ),
                null
            ),
            if(
                max_silence is null and silent_seconds > usual_silence_seconds and silent_seconds <= 56 * 86400,
                concat(
                    'topic ', kafka_topic, ': no message for ', silent_seconds,
                    ' seconds, and the longest time without one in the 56 days before was ', longest_gap_seconds,
                    ' seconds. Look at the connector and at the landing, or add to topics: expect: {max_silence: ',
                    ceil(2 * silent_seconds / 86400), 'd}'
                ),
                null
            )
        ),
        finding -> finding is not null
    ) as findings
from limits
{%- endmacro %}

{# Prints an expression: the seconds of a duration such as 15m. #}
{% macro _duration_seconds(column) -%}
    cast(substr({{ column }}, 1, length({{ column }}) - 1) as bigint)
        * case right({{ column }}, 1) when 's' then 1 when 'm' then 60 when 'h' then 3600 when 'd' then 86400 end
{%- endmacro %}

{# Returns the topics that the setting names in full, without a glob, and whose line has max_silence. #}
{% macro _get_topics_with_max_silence(settings) %}
    {%- set names = [] -%}
    {%- for topic, line in kafka_cdc.get_lines_by_topic(settings).names.items()
        if (line.expect or {}).get('max_silence') -%}
        {%- do names.append(topic) -%}
    {%- endfor -%}
    {{ return(names) }}
{% endmacro %}
