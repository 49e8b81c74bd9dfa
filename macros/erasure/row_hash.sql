{#
  Prints an expression: the hash of a row in the table erased_rows.

  Arguments:
    row_key (string): SQL of the row's key, JSON as json_key prints it.

  Requires: the columns of get_table_columns.
#}
{% macro row_hash(row_key) -%}
    sha2(to_json(struct({{ kafka_cdc.get_table_columns() | join(', ') }}, {{ row_key }} as row_key)), 256)
{%- endmacro %}
