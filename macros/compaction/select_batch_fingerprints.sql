{#
  Prints the SELECT of the landing batches that events hold at one of its snapshots: how many events, and merged_version, a number that
  changes when the batch is written again, select_retained_events keeps by another rule, or events have another column. keeps_all: of get_full_history_condition.
#}
{% macro select_batch_fingerprints(events, snapshot, keeps_all) -%}
{%- set rule = kafka_cdc.get_event_columns().keys() | join(', ') ~ kafka_cdc.affects_state_condition(keeps_all) ~ kafka_cdc.superseded_changes_cte('', keeps_all) -%}
select
    landing_batch,
    xxhash64(files, '{{ local_md5(rule) }}') as merged_version,
    row_count as events
from (
    {{ kafka_cdc.get_table_format_macro('batch_files')(events, snapshot) | indent(4) }}
) as batch_files
{%- endmacro %}
