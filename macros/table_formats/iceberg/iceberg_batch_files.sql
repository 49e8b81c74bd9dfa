{#
  Prints a SELECT: the landing batches of a table at one of its snapshots, and their files.

  Columns: landing_batch, files (paths of its data files, sorted) and row_count. It reads Iceberg's
  metadata table `files`, and no data. The table must be partitioned by landing_batch.

  Arguments:
    table (relation): the table.
    version (integer): the snapshot.
#}
{% macro iceberg_batch_files(table, version) -%}
select
    partition.landing_batch,
    array_sort(collect_list(file_path)) as files,
    sum(record_count) as row_count
from {{ table }}.files version as of {{ version }}
group by partition.landing_batch
{%- endmacro %}
