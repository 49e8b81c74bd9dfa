{#
  Returns the macro that does something in the way of the project's table format: <format>_<name>, of the folder beside this file. What a
  folder says is all in which the formats differ; another format is another folder with the same macros. (Not by adapter.dispatch: that goes by the
  adapter, not by the format, and dbt reads no name there that is not written out.)
#}
{% macro get_table_format_macro(name) %}
    {{ return(kafka_cdc[kafka_cdc.get_table_format() ~ '_' ~ name]) }}
{% endmacro %}
