{#
  Prints the SELECT of flatten_messages as a run writes them once rows were forgotten: payloads that were rewritten are read
  for what is left in them, and what says a forgotten row again, a duplicate or a replay, is blanked. As it is while nothing was forgotten.
#}
{% macro without_forgotten_rows(events, flattened, batches) -%}
{%- set forgotten = get_forgotten_rows(events) -%}
{%- if forgotten is none -%}
{{ flattened }}
{%- else -%}
{%- set identity = get_message_coordinates() -%}
{%- set of_message = identity + ['kafka_timestamp', 'landed_at', 'landing_batch'] -%}
{%- set said = {'source_name': 'coalesce(settings.source, event.source_name) as source_name'} -%}
with flattened as (
    {{ flattened | indent(4) }}
),

-- Where a message lies, and the name of its source, are for raw and the settings to say, not for a payload.
rewritten as (
    select
        {%- for column in get_event_columns() %}
        {{ said[column] or ('payloads.' if column in of_message else 'event.') ~ column }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select
            {%- for column in of_message %}
            `{{ column | replace('kafka_', '') }}` as {{ column }},
            {%- endfor %}
            {{ topic_settings('topic') | indent(12) }} as settings,
            {{ read_rewritten_payload() }} as events
        from {{ get_raw() }}
        where startswith(value, '{{ get_rewritten_mark() }}'){% if batches is not none %} and {{ is_in_batches(batches) }}{% endif %}
    ) as payloads
    left semi join {{ forgotten }} as known on known.row_hash = {{ message_hash() }}
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

{{ blank_forgotten_rows('remembered_events', forgotten) }}
{%- endif -%}
{%- endmacro %}
