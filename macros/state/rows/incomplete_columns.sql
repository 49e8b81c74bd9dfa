{#
  Prints an expression: the columns of a row that no message contained, a sorted array.

  It is null if the row started from a full image, or if no column is missing.
  It is ['*'] if not even the names of the missing columns are known.

  Arguments:
    base_image (string): SQL of the kind of image from which the row started.
    column_types (string): SQL of the source's column types, map<string, string>; null if unknown.
    row_values (string): SQL of the row, map<string, string>.
#}
{% macro incomplete_columns(base_image, column_types, row_values) -%}
{%- set names = 'map_keys(' ~ column_types ~ ')' -%}
{%- if kafka_cdc.has_masks() -%}
    {#- The entry * of masked_column_types is no column. If it is the only entry, no name is known. -#}
    {%- set names = 'if(size(' ~ column_types ~ ') = 1, ' ~ names ~ ', array_remove(' ~ names ~ ", '*'))" -%}
{%- endif -%}
case
    when {{ base_image }} = 'full' then null
    when {{ column_types }} is null then array('*')
    else nullif(
        array_sort(array_except({{ names }}, map_keys({{ row_values }}))),
        cast(array() as array<string>)
    )
end
{%- endmacro %}
