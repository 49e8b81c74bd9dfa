{# Returns the properties of the project's tables; is_by_batch: of those whose landing batches are each replaced as a whole. #}
{% macro iceberg_table_properties(is_by_batch) %}
    {%- set properties = {'format-version': '2', 'write.metadata.delete-after-commit.enabled': 'true'} -%}
    {%- if is_by_batch -%}
        {%- do properties.update({'write.distribution-mode': 'none', 'write.spark.fanout.enabled': 'true'}) -%}
    {%- endif -%}
    {{ return(properties) }}
{% endmacro %}
