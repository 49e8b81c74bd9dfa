{#
  Prints an expression: the arrays that a MongoDB update shortens, an array of struct, or null.

  The struct has `name` and `new_size`. MongoDB calls the size newSize, and Debezium calls it size. A
  formatter may write it as {"$numberInt": "2"}. An unreadable size is null.

  Requires: the format variable `change` with updateDescription.
#}
{% macro mongodb_shortened_arrays() -%}
    {%- set pattern = "r'^(?:\\{\"\\$number(?:Int|Long)\": *\")?([0-9]{1,9})(?:\"\\})?\\z'" -%}
    transform(
        change.updateDescription.truncatedArrays,
        shortened -> struct(
            shortened.field as name,
            try_cast(regexp_extract(coalesce(shortened.newSize, shortened.size), {{ pattern }}, 1) as int) as new_size
        )
    )
{%- endmacro %}
