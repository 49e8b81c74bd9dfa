{#
  Prints an expression: database[.schema].table, which the setting `tables` matches.

  Arguments:
    prefix (string): what precedes the columns, such as 'parsed.' for fields of a struct.

  Requires: the columns `source_database`, `source_schema`, `source_table`.
#}
{% macro table_path(prefix='') -%}
    concat_ws(
        '.',
        nullif({{ prefix }}source_database, ''),
        nullif({{ prefix }}source_schema, ''),
        {{ prefix }}source_table
    )
{%- endmacro %}
