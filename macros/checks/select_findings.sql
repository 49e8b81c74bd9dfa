{#
  Prints a SELECT: what is wrong with which source table, one row per finding.

  A source table with a finding is held (select_table_holds).

  Columns: those that name the source table, and
    check_name  the check, such as mixed_sequences
    finding     the fault in a sentence
    remedy      the setting or command that resolves it

  Arguments:
    relations (dict[string, relation]): the models events, event_batch_stats, sequence_resets,
      outdated_topic_mappings and chain_breaks.
#}
{% macro select_findings(relations) -%}
{%- set batch_stats = relations.event_batch_stats -%}
{%- set checks = [
    kafka_cdc.select_unordered_tables(relations.events, batch_stats),
    kafka_cdc.select_falling_sequences(relations.sequence_resets, batch_stats),
    kafka_cdc.select_missing_keys(batch_stats),
    kafka_cdc.select_remapped_tables(relations.outdated_topic_mappings, batch_stats),
] -%}
{%- if kafka_cdc.has_table_setting('hold', ['true']) -%}
{%- do checks.append(kafka_cdc.select_tables_held_by_setting(batch_stats)) -%}
{%- endif -%}
{%- if kafka_cdc.get_check_chains() == 'hold' or kafka_cdc.has_table_setting('check_chains', ['hold']) -%}
{%- do checks.append(kafka_cdc.select_broken_chains(relations.chain_breaks, batch_stats)) -%}
{%- endif -%}
{%- for check in checks %}
{{ 'union all' if not loop.first }}
select *
from (
    {{ check | indent(4) }}
) as findings
{%- endfor %}
{%- endmacro %}
