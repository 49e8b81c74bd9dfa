{#
  Prints a SELECT: the landing batches of events, each with a fingerprint and its number of events.

  The fingerprint `merged_version` changes in two cases:
  * The batch is written again. It then has other data files.
  * The rules of the merge change: its SQL, which tables it leaves out, or the columns of merged_rows.

  Arguments:
    events (relation): the model events.
    version (integer): the version of events to read.
#}
{% macro select_batch_fingerprints(events, version) -%}
{%- set rules = tojson(kafka_cdc.get_merged_row_columns())
    ~ kafka_cdc.get_unmerged_condition()
    ~ kafka_cdc.merging_ctes(
        changes='changes',
        merged='merged',
        facts={'path_updates': 1},
        table_resets='resets',
        reset_tables=[],
        has_few_keys=false
    ) -%}
select
    landing_batch,
    xxhash64(files, '{{ local_md5(rules) }}') as merged_version,
    row_count as events
from (
    {{ kafka_cdc.get_table_format_macro('batch_files')(events, version) | indent(4) }}
) as batch_files
{%- endmacro %}
