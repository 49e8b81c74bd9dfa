{#
  Prints the SELECT of the landing batches that events hold at one of its snapshots: how many events, and merged_version, a number that
  changes when the batch is written again, kept_events keeps by another rule, or events have another column. keeps_all: of keeps_all_changes.
#}
{% macro written_batches(events, snapshot, keeps_all) -%}
{%- set rule = get_event_columns().keys() | join(', ') ~ is_ever_needed(keeps_all) ~ dropped_changes('', keeps_all) -%}
select
    landing_batch,
    xxhash64(files, '{{ local_md5(rule) }}') as merged_version,
    row_count as events
from (
    {{ in_table_format('batch_files')(events, snapshot) | indent(4) }}
) as batch_files
{%- endmacro %}
