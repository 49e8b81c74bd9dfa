{#
  Prints an expression: the rows of a message that has its images in two arrays.

  Images at the same position belong to one row. An array that is null or shorter has no image there.

  Arguments:
    before_rows (string): SQL of the before images, an array of maps.
    after_rows (string): SQL of the after images, an array of maps.
#}
{% macro zip_rows(before_rows, after_rows) -%}
    cast(
        arrays_zip(coalesce({{ before_rows }}, array()), coalesce({{ after_rows }}, array()))
        as array<struct<before_row: map<string, string>, after_row: map<string, string>>>
    )
{%- endmacro %}
