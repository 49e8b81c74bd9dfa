{#
  Returns the macro that does a task for the project's table format: <format>_<name> (a macro).

  All differences between the formats are in the folders iceberg and delta. Another format is
  another folder with the same macros. adapter.dispatch does not fit, because it chooses by adapter
  and not by table format. dbt also finds only names there that are written out.

  Arguments:
    name (string): name of the macro without the format, such as latest_version.
#}
{% macro get_table_format_macro(name) %}
    {{ return(kafka_cdc[kafka_cdc.get_table_format() ~ '_' ~ name]) }}
{% endmacro %}
