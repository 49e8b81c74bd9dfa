{#
  Returns the properties of the project's Iceberg tables, dict[string, string].

  Arguments:
    is_by_batch (boolean): whether each landing batch of the table is replaced as a whole. Its
      writers then need neither a shuffle nor sorted input.
    bounds (list[string]): not used: Iceberg records minimum and maximum of all columns.
    has_topics (boolean): not used, for the same reason.
#}
{% macro iceberg_table_properties(is_by_batch, bounds, has_topics) %}
    {%- set properties = {
        'format-version': '2',
        'write.metadata.delete-after-commit.enabled': 'true',
    } -%}
    {%- if is_by_batch -%}
        {%- do properties.update({
            'write.distribution-mode': 'none',
            'write.spark.fanout.enabled': 'true',
        }) -%}
    {%- endif -%}
    {{ return(properties) }}
{% endmacro %}
