{#
  Removes the data of erased rows from raw, events and merged_rows, and publishes the result.

  Arguments:
    events (relation): the model events.
    erased (relation): the table erased_rows. It already has the hashes of rows and rejects.
    message_hashes (string): a SELECT of the hashes of the messages to rewrite, as row_hash.

  Returns: whether the published version no longer contains the data, a boolean.
#}
{% macro rewrite_erased_messages(events, erased, message_hashes) %}
    {%- set published = kafka_cdc.get_published_version(events) -%}
    {%- set was_published = kafka_cdc.get_equivalent_version(events, published) is not none -%}

    {%- do kafka_cdc.record_erasure_hashes(erased, message_hashes) -%}
    {%- do run_query(kafka_cdc._rewrite_payloads(events, erased)) -%}
    {%- do run_query(kafka_cdc._rewrite_events(events, erased)) -%}

    {#- If the version before was published, so is the rewritten one: only erased data are missing. -#}
    {%- set publishes = was_published and kafka_cdc.publish_version(events, published, rewrites=1) is not none -%}
    {%- set holds = kafka_cdc.get_holds_until_release(ref('kafka_cdc', 'table_holds')) -%}
    {%- set relations = {
        'events': events,
        'batch_stats': ref('kafka_cdc', 'event_batch_stats'),
        'merged_rows': ref('kafka_cdc', 'merged_rows'),
    } -%}
    {%- do kafka_cdc.merge_again(relations, holds, publishes) -%}
    {{ return(publishes) }}
{% endmacro %}

{#
  Prints a MERGE: it removes the data of erased rows from events.

  Arguments:
    events (relation): the model events.
    erased (relation): the table erased_rows.
#}
{% macro _rewrite_events(events, erased) -%}
merge into {{ events }} as target using (
    {{ kafka_cdc.select_redacted_events(kafka_cdc._events_to_rewrite(events, erased), erased) | indent(4) }}
) as redacted
    on
        {%- for coordinate in kafka_cdc.get_coordinates() %}
        {{ 'and ' if not loop.first }}target.{{ coordinate }} = redacted.{{ coordinate }}
        {%- endfor %}
-- A redacted event loses one of its keys, or its reject code. All others stay as they are.
when matched and not (
    target.row_key <=> redacted.row_key
    and target.previous_row_key <=> redacted.previous_row_key
    and target.reject_code <=> redacted.reject_code
) then update set
    {%- for column in kafka_cdc.get_event_columns() %}
    {{ column }} = redacted.{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
{%- endmacro %}

{#
  Prints a MERGE: it rewrites the payloads of the messages in the table erased_rows.

  A rewritten payload has the message's events without the erased rows. The coordinates stay. Key
  and headers become null, because they may contain the row.

  Arguments:
    events (relation): the model events.
    erased (relation): the table erased_rows.
#}
{% macro _rewrite_payloads(events, erased) -%}
{%- set identity = kafka_cdc.get_message_coordinates() | join(', ') -%}
merge into {{ source('raw', 'kafka_messages') }} as landed using (
    select
        {{ identity }},
        {{ kafka_cdc._rewritten_payload() | indent(8) }} as value
    from (
        {{ kafka_cdc.select_redacted_events(kafka_cdc._events_to_rewrite(events, erased), erased) | indent(8) }}
    ) as redacted
    group by {{ identity }}
) as rewritten
    on {{ kafka_cdc.same_message_condition('landed', 'rewritten') }}
when matched and not landed.value <=> rewritten.value
    then update set value = rewritten.value, key = null, headers = null
{%- endmacro %}

{#
  Prints an expression: a rewritten payload, as an aggregate over a message's events.

  Requires: the columns of get_event_columns, grouped by message.
#}
{% macro _rewritten_payload() -%}
    to_json(
        named_struct('kafka_cdc_rewritten', array_sort(
            collect_list(struct({{ kafka_cdc.get_event_columns().keys() | join(', ') }})),
            (one, other) -> one.row_index - other.row_index
        )),
        {{ kafka_cdc.rewritten_json_options() | indent(8) }}
    )
{%- endmacro %}

{#
  Prints a relation: all events of the messages whose hashes are in the table erased_rows.

  Arguments:
    events (relation): the model events.
    erased (relation): the table erased_rows.
#}
{% macro _events_to_rewrite(events, erased) -%}
(
            select events.*
            from {{ events }} as events
            left semi join {{ erased }} as erased on erased.row_hash = {{ kafka_cdc.message_hash() }}
        )
{%- endmacro %}
