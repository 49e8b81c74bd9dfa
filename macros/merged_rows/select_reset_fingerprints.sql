{#
  Prints a SELECT: the source tables that something emptied, each with a fingerprint of its resets.

  If the fingerprint of a table differs from that in merged_rows, its rows must be finished again.

  Arguments:
    table_resets (string): the CTEs up to `table_resets`, from merged_resets_ctes.
#}
{% macro select_reset_fingerprints(table_resets) -%}
with {{ table_resets }}

select
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    xxhash64(transform(resets, reset -> struct(reset.row_order, reset.operation))) as merged_version
from table_resets
{%- endmacro %}
