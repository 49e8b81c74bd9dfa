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
    {%- do run_query(kafka_cdc.rewrite_payloads(events, erased)) -%}
    {%- do run_query(kafka_cdc.rewrite_events(events, erased)) -%}

    {#- If the version before was published, so is the rewritten one: only erased data are missing. -#}
    {%- set publishes = was_published and kafka_cdc.publish_version(events, published, rewrites=1) is not none -%}
    {%- set holds = kafka_cdc.get_holds_until_release(ref('table_holds')) -%}
    {%- set relations = {
        'events': events,
        'batch_stats': ref('event_batch_stats'),
        'merged_rows': ref('merged_rows'),
    } -%}
    {%- do kafka_cdc.merge_again(relations, holds, publishes) -%}
    {{ return(publishes) }}
{% endmacro %}
