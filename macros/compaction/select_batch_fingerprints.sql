{#
  Prints a SELECT: the landing batches of events, each with a fingerprint and its number of events.

  The fingerprint `merged_version` changes in three cases:
  * The batch is written again. It then has other data files.
  * The rules of compaction change, which are the SQL of the two conditions below.
  * The model events has another column.

  Arguments:
    events (relation): the model events.
    version (integer): the version of events to read.
    full_history_condition (optional[string]): from get_full_history_condition.
#}
{% macro select_batch_fingerprints(events, version, full_history_condition) -%}
{%- set rules = kafka_cdc.get_event_columns().keys() | join(', ')
    ~ kafka_cdc.affects_state_condition(full_history_condition)
    ~ kafka_cdc.superseded_changes_cte('', full_history_condition) -%}
select
    landing_batch,
    xxhash64(files, '{{ local_md5(rules) }}') as merged_version,
    row_count as events
from (
    {{ kafka_cdc.get_table_format_macro('batch_files')(events, version) | indent(4) }}
) as batch_files
{%- endmacro %}
