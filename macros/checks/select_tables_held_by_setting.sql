{#
  Prints a SELECT: the source tables that a line of the setting `tables` holds (hold: true).

  Columns: see select_findings.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro select_tables_held_by_setting(batch_stats) -%}
select distinct
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    'held_by_setting' as check_name,
    concat(
        'table ', {{ kafka_cdc.table_path() | indent(8) }}, ' of source ', source_name, ' has hold: true'
    ) as finding,
    'To publish it again, remove hold: true from its line in tables' as remedy
from {{ batch_stats }}
where
    changes > 0
    and {{ kafka_cdc.table_setting('hold', "'false'") | indent(4) }} = 'true'
{%- endmacro %}
