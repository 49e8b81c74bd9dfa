{#
  Prints the SELECT of the landing batches that a table, partitioned by them, holds at one of its versions: landing_batch, files (the paths of
  its data files, in order), row_count. Of each file its footer is read: Delta shows SQL no list of files.
#}
{% macro delta_batch_files(table, snapshot) -%}
select
    landing_batch,
    array_sort(collect_set(_metadata.file_path)) as files,
    count(*) as row_count
from {{ table }} version as of {{ snapshot }}
group by landing_batch
{%- endmacro %}
