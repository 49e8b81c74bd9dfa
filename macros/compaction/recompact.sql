{#
  Writes compacted_events again from all events, outside of a run.

  erase_row calls it, so that no erased text remains in the table.
  It does nothing if no batch is compacted.

  Arguments:
    events (relation): the model events.
    compacted (relation): the model compacted_events.
    holds (list[dict[string, any]]): the held tables, from get_holds.
    is_published (boolean): whether to publish the result.
#}
{% macro recompact(events, compacted, holds, is_published) %}
    {%- set query = 'select 1 from ' ~ compacted ~ " where event_kind = 'merged' limit 1" -%}
    {%- if load_relation(compacted) is not none and run_query(query).rows -%}
        {%- do kafka_cdc.add_new_columns(compacted, kafka_cdc.get_event_columns()) -%}

        {%- set no_coverage = {
            'version': kafka_cdc.get_latest_version(events),
            'full_history_condition': kafka_cdc.get_full_history_condition(),
            'is_valid': false,
            'pending_batches': [],
        } -%}
        {%- set select = kafka_cdc.select_compacted_events(events, none, no_coverage, holds) -%}
        {%- do run_query('insert overwrite ' ~ compacted ~ ' by name ' ~ select) -%}

        {%- set latest = kafka_cdc.get_latest_version(compacted) -%}
        {%- set coverage = kafka_cdc.get_compaction_coverage(events, compacted ~ ' version as of ' ~ latest) -%}
        {%- if is_published and coverage.is_valid -%}
            {%- do kafka_cdc.publish_version(compacted, latest) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
