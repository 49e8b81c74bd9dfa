{#
  Returns the macro that does something in the way of the project's table format: <format>_<name>, of the folder beside this file. What a
  folder says is all in which the formats differ; another format is another folder with the same macros.
#}
{% macro in_table_format(name) %}
    {{ return(context[get_table_format() ~ '_' ~ name]) }}
{% endmacro %}
