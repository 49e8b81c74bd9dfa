{#
  Prints a SELECT: the landing batches of a table at one of its versions, and their files.

  Columns: landing_batch, files (names of its data files, sorted) and row_count. Delta has no SQL
  for its list of files. So the rows are counted per file, which only reads the Parquet footers.
  The table must be partitioned by landing_batch.

  Arguments:
    table (relation): the table.
    version (integer): the version.
#}
{% macro delta_batch_files(table, version) -%}
select
    landing_batch,
    array_sort(collect_list(file_name)) as files,
    sum(row_count) as row_count
from (
    select
        landing_batch,
        _metadata.file_name,
        count(*) as row_count
    from {{ table }} version as of {{ version }}
    group by landing_batch, _metadata.file_name
) as files
group by landing_batch
{%- endmacro %}
