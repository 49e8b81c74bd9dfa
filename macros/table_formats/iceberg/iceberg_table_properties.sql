{# Returns the properties of the project's tables. The arguments are those of get_table_properties; Iceberg bounds all columns by itself. #}
{% macro iceberg_table_properties(is_by_batch, bounds) %}
    {%- set properties = {'format-version': '2', 'write.metadata.delete-after-commit.enabled': 'true'} -%}
    {%- if is_by_batch -%}
        {%- do properties.update({'write.distribution-mode': 'none', 'write.spark.fanout.enabled': 'true'}) -%}
    {%- endif -%}
    {{ return(properties) }}
{% endmacro %}
