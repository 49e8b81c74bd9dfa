{#
  Prints SQL for the rows of a message that lists its images in two arrays: before_row and after_row by position. An array that
  is null or shorter has no image there.
#}
{% macro zip_rows(before_rows, after_rows) -%}
    cast(
        arrays_zip(coalesce({{ before_rows }}, array()), coalesce({{ after_rows }}, array()))
        as array<struct<before_row: map<string, string>, after_row: map<string, string>>>
    )
{%- endmacro %}
