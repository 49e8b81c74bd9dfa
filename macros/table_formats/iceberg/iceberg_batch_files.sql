{#
  Prints the SELECT of the landing batches that a table, partitioned by them, holds at one of its snapshots: landing_batch, files (the paths of
  its data files, in order), row_count. Reads Iceberg's list of files, no data.
#}
{% macro iceberg_batch_files(table, snapshot) -%}
select
    partition.landing_batch,
    array_sort(collect_list(file_path)) as files,
    sum(record_count) as row_count
from {{ table }}.files version as of {{ snapshot }}
group by partition.landing_batch
{%- endmacro %}
