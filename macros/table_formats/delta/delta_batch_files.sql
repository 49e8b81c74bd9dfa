{#
  Prints the SELECT of the landing batches that a table, partitioned by them, holds at one of its versions: landing_batch, files (the names of
  its data files, in order), row_count. Delta shows SQL no list of files: their rows are counted, by the footers.
#}
{% macro delta_batch_files(table, snapshot) -%}
select
    landing_batch,
    array_sort(collect_list(file_name)) as files,
    sum(row_count) as row_count
from (
    select
        landing_batch,
        _metadata.file_name,
        count(*) as row_count
    from {{ table }} version as of {{ snapshot }}
    group by landing_batch, _metadata.file_name
) as files
group by landing_batch
{%- endmacro %}
