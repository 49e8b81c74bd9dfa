{#
  Returns the properties of the project's tables, dict[string, string].

  Arguments:
    is_by_batch (boolean): whether each landing batch of the table is replaced as a whole.
    bounds (list[string]): columns whose minimum and maximum each data file records, as queries
      filter by them. Columns of topics and tables are always included. None may hold content of
      rows.
#}
{% macro get_table_properties(is_by_batch=false, bounds=[]) %}
    {{ return(kafka_cdc.get_table_format_macro('table_properties')(is_by_batch, bounds)) }}
{% endmacro %}
