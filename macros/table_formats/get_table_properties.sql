{#
  Returns the properties of the project's tables, dict[string, string].

  Arguments:
    is_by_batch (boolean): whether each landing batch of the table is replaced as a whole.
    bounds (list[string]): columns whose minimum and maximum each data file records, as queries
      filter by them. Columns of topics and tables are always included. None may hold content of
      rows.
    has_topics (boolean): whether the table has the columns that name a topic partition.
#}
{% macro get_table_properties(is_by_batch=false, bounds=[], has_topics=true) %}
    {{ return(kafka_cdc.get_table_format_macro('table_properties')(is_by_batch, bounds, has_topics)) }}
{% endmacro %}
