{#
  Returns the properties of the project's tables. is_by_batch: of those whose landing batches are each replaced as a whole. bounds: columns, beside those of
  topics and tables, whose least and greatest values a file is to tell, as queries look for them; none that says what a row holds.
#}
{% macro get_table_properties(is_by_batch=false, bounds=[]) %}
    {{ return(kafka_cdc.get_table_format_macro('table_properties')(is_by_batch, bounds)) }}
{% endmacro %}
