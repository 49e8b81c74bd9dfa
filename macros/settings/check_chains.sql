{#
  Prints an expression: what a broken chain of a source table does: off, warn or hold.

  It is the table's setting check_chains, else that of the project.

  Requires: the columns that name the source table.
#}
{% macro check_chains() -%}
    {{ kafka_cdc.table_setting('check_chains', "'" ~ kafka_cdc.get_check_chains() ~ "'") }}
{%- endmacro %}
