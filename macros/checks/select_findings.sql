{#
  Prints a SELECT: what is wrong with which source table, one row per finding.

  A source table with a finding is held (select_table_holds).

  Columns: those that name the source table, and
    check_name  the check, such as mixed_sequences
    finding     the fault in a sentence
    remedy      the setting or command that resolves it

  Arguments:
    checks (list[string]): SQL of the checks, from get_checks. Without checks there is no row.
#}
{% macro select_findings(checks) -%}
{%- for check in checks %}
{{ 'union all' if not loop.first }}
select *
from (
    {{ check | indent(4) }}
) as findings
{%- else %}
-- The statistics show that no check can find anything.
select
    {%- for column in kafka_cdc.get_table_columns() %}
    '' as {{ column }},
    {%- endfor %}
    '' as check_name,
    '' as finding,
    '' as remedy
where false
{%- endfor %}
{%- endmacro %}
