{#
  Prints SQL for the columns of a row that the stream never said: null where its base was a full image; ['*'] where not even
  their names are known.
#}
{% macro incomplete_columns(base_image, column_types, row_values) -%}
case
        when {{ base_image }} = 'full' then null
        when {{ column_types }} is null then array('*')
        else nullif(array_sort(array_except(map_keys({{ column_types }}), map_keys({{ row_values }}))), cast(array() as array<string>))
    end
{%- endmacro %}
