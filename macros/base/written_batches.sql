{#
  Prints the SELECT of the landing batches that events hold at one of its snapshots: how many events, and merged_version, a number that
  changes when the batch is written again or kept_events follows another rule.
#}
{% macro written_batches(events, snapshot) -%}
select
    partition.landing_batch,
    xxhash64(array_sort(collect_list(file_path)), '{{ local_md5(kept_events('')) }}') as merged_version,
    sum(record_count) as events
from {{ events }}.files version as of {{ snapshot }}
group by partition.landing_batch
{%- endmacro %}
