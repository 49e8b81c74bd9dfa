{# Returns the properties of the project's tables; is_by_batch: of those whose landing batches are each replaced as a whole. #}
{% macro get_table_properties(is_by_batch=false) %}
    {{ return(in_table_format('table_properties')(is_by_batch)) }}
{% endmacro %}
