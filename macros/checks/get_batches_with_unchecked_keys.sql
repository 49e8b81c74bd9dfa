{#
  Returns the landing batches whose keys may be on several partitions for the first time.

  The published version of events was checked, if a run has recorded that (record_checked_keys) with
  the same settings. A key can then only be on several partitions if a batch has changed since. A
  table whose changes had a sequence until now is held for its mixed sequences.

  Arguments:
    events (relation): the model events.

  Returns: optional[list[integer]]; none if all keys have to be checked. Then there is no table yet,
    nothing is recorded, or the batches have too many events to be compared in memory.
#}
{% macro get_batches_with_unchecked_keys(events) %}
    {%- if not kafka_cdc.has_table(events) -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set max_events = 200000 -%}
    {%- set published = kafka_cdc.get_published_version(events) -%}
    {%- set latest = kafka_cdc.get_built_version(events) -%}
    {%- set fingerprint = kafka_cdc.get_checked_keys_fingerprint(events, published) -%}
    {%- if published is none or not kafka_cdc.is_recorded_fingerprint('checked_keys', fingerprint) -%}
        {{ return(none) }}
    {%- elif published == latest -%}
        {{ return([]) }}
    {%- endif -%}

    {%- set batch_files = kafka_cdc.get_table_format_macro('batch_files') -%}
    {%- set query -%}
        select
            coalesce(sum(row_count), 0) as events,
            array_join(array_sort(collect_list(landing_batch)), ',') as batches
        from (
            {{ batch_files(events, latest) | indent(12) }}
        ) as written
        left anti join (
            {{ batch_files(events, published) | indent(12) }}
        ) as published using (landing_batch, files)
    {%- endset -%}
    {%- set changed = run_query(query).rows[0] -%}
    {%- if changed.events > max_events -%}
        {{ return(none) }}
    {%- endif -%}
    {{ return(changed.batches.split(',') | select | map('int') | list) }}
{% endmacro %}
