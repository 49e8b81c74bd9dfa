{#
  Prints the SELECT of select_flattened_messages as a run writes them once rows were erased: payloads that were rewritten are read
  for what is left in them, and what says a erased row again, a duplicate or a replay, is blanked. As it is while nothing was erased.
#}
{% macro select_without_erased_rows(events, flattened, batches) -%}
{%- set erased = kafka_cdc.get_erased_rows(events) -%}
{%- if erased is none -%}
{{ flattened }}
{%- else -%}
{%- set identity = kafka_cdc.get_message_coordinates() -%}
{%- set of_message = identity + ['kafka_timestamp', 'landed_at', 'landing_batch'] -%}
{%- set said = {'source_name': 'coalesce(settings.source, event.source_name) as source_name'} -%}
with flattened as (
    {{ flattened | indent(4) }}
),

-- Where a message lies, and the name of its source, are for raw and the settings to say, not for a payload.
rewritten as (
    select
        {%- for column in kafka_cdc.get_event_columns() %}
        {{ said[column] or ('payloads.' if column in of_message else 'event.') ~ column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select
            {%- for column in of_message %}
            `{{ column | replace('kafka_', '') }}` as {{ column }},
            {%- endfor %}
            {{ kafka_cdc.topic_settings('topic') | indent(12) }} as settings,
            {{ kafka_cdc.read_rewritten_payload() }} as events
        from {{ kafka_cdc.get_raw_relation() }}
        where startswith(value, '{{ kafka_cdc.get_rewritten_marker() }}'){% if batches is not none %} and {{ kafka_cdc.in_batches_condition(batches) }}{% endif %}
    ) as payloads
    left semi join {{ erased }} as known on known.row_hash = {{ kafka_cdc.message_hash() }}
    lateral view inline(events) event
),

remembered_events as (
    select flattened.*
    from flattened
    left anti join rewritten using ({{ identity | join(', ') }})
    union all
    select *
    from rewritten
)

{{ kafka_cdc.select_redacted_events('remembered_events', erased) }}
{%- endif -%}
{%- endmacro %}
