{#
  Prints a SELECT: the events of a run, without the data of erased rows.

  Rewritten payloads give the events that they still contain. A duplicate or a replay of an erased
  row is redacted. If nothing was ever erased, the SELECT is printed unchanged.

  Arguments:
    events (relation): the model events.
    flattened (string): SQL of select_flattened_messages.
    batches (optional[list[integer]]): the landing batches, or none for all of them.
#}
{% macro select_without_erased_rows(events, flattened, batches) -%}
{%- set erased = kafka_cdc.get_erased_rows(events) -%}
{%- if erased is none -%}
{{ flattened }}
{%- else -%}
{%- set identity = kafka_cdc.get_message_coordinates() -%}
{%- set message_columns = identity + ['kafka_timestamp', 'landed_at', 'landing_batch'] -%}
with flattened as (
    {{ flattened | indent(4) }}
),

-- Raw and the settings decide where a message is and how its source is named. A payload does not.
rewritten as (
    select
        {%- for column in kafka_cdc.get_event_columns() %}
        {% if column == 'source_name' -%}
            coalesce(settings.source, event.source_name) as source_name
        {%- elif column in message_columns -%}
            payloads.{{ column }}
        {%- else -%}
            event.{{ column }}
        {%- endif %}{{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select
            {%- for column in message_columns %}
            `{{ column | replace('kafka_', '') }}` as {{ column }},
            {%- endfor %}
            {{ kafka_cdc.topic_settings('topic') | indent(12) }} as settings,
            {{ kafka_cdc._read_rewritten_payload() | indent(8) }} as events
        from {{ kafka_cdc.get_raw_relation() }}
        where startswith(value, '{{ kafka_cdc._get_rewritten_marker() }}')
            {%- if batches is not none %} and {{ kafka_cdc.in_batches_condition(batches) }}{% endif %}
    ) as payloads
    left semi join {{ erased }} as erased on erased.row_hash = {{ kafka_cdc.message_hash() }}
    lateral view inline(events) event
),

-- A rewritten message replaces what its payload was read as, which is a reject.
all_events as (
    select flattened.*
    from flattened
    left anti join rewritten using ({{ identity | join(', ') }})
    union all
    {% if kafka_cdc.has_masks() -%}
    {{ kafka_cdc.select_masked_events('rewritten') | indent(4) }}
    {%- else -%}
    select *
    from rewritten
    {%- endif %}
)

{{ kafka_cdc.select_redacted_events('all_events', erased) }}
{%- endif -%}
{%- endmacro %}

{#
  Returns the text with which a payload starts that erase_row has rewritten.

  Landing knows the same text. It never compares a rewritten payload with a message.

  Returns: a string.
#}
{% macro _get_rewritten_marker() %}
    {{ return('{"kafka_cdc_rewritten":') }}
{% endmacro %}

{#
  Prints an expression: the events in a rewritten payload, an array of the event contract.

  Requires: the column `value`.
#}
{% macro _read_rewritten_payload() -%}
    {%- set columns = [] -%}
    {%- for name, type in kafka_cdc.get_event_columns().items() -%}
        {%- do columns.append(name ~ ': ' ~ type) -%}
    {%- endfor -%}

    from_json(
        value,
        'kafka_cdc_rewritten array<struct<{{ columns | join(', ') }}>>',
        {{ kafka_cdc.rewritten_json_options() }}
    ).kafka_cdc_rewritten
{%- endmacro %}
