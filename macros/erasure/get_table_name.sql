{#
  Returns the name of a source table in messages. It is unique.

  Arguments:
    path (string): database[.schema].table.
    parts (dict[string, string]): the value of each column of get_table_columns.
#}
{% macro get_table_name(path, parts) %}
    {{ return(
        path ~ ' of source ' ~ parts.source_name
            ~ (', tenant ' ~ parts.source_tenant if parts.source_tenant else '')
    ) }}
{% endmacro %}
