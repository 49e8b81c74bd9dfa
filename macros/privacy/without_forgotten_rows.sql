{#
  Prints the SELECT of flatten_messages as a run writes them once rows were forgotten: payloads that were rewritten are read
  for what is left in them, and what says a forgotten row again, a duplicate or a replay, is blanked. As it is while nothing was forgotten.
#}
{% macro without_forgotten_rows(events, flattened, batches) -%}
{%- set forgotten = get_forgotten_rows(events) -%}
{%- if forgotten is none -%}
{{ flattened }}
{%- else -%}
{%- set identity = get_message_coordinates() | join(', ') -%}
with flattened as (
    {{ flattened | indent(4) }}
),

rewritten as (
    select event.*
    from (
        select {{ read_rewritten_payload() }} as events
        from {{ source('raw', 'kafka_messages') }}
        where startswith(value, '{{ get_rewritten_mark() }}'){% if batches is not none %} and {{ is_in_batches(batches) }}{% endif %}
    ) as payloads
    lateral view inline(events) event
),

remembered_events as (
    select flattened.*
    from flattened
    left anti join rewritten using ({{ identity }})
    union all
    select *
    from rewritten
)

{{ blank_forgotten_rows('remembered_events', forgotten) }}
{%- endif -%}
{%- endmacro %}
