{#
  Prints a SELECT: what is wrong with which source table, one row per finding.

  A source table with a finding is held (select_table_holds). If the command runs no checks
  (should_check_tables), the published findings stay. The setting hold always counts.

  Columns: those that name the source table, and
    check_name  the check, such as mixed_sequences
    finding     the fault in a sentence
    remedy      the setting or command that resolves it

  Arguments:
    relations (dict[string, relation]): the models events, event_batch_stats, sequence_resets,
      outdated_topic_mappings and chain_breaks.
    published_holds (optional[string]): SQL of the published version of table_holds, if there is one.
#}
{% macro select_findings(relations, published_holds) -%}
{%- set batch_stats, checks = relations.event_batch_stats, [] -%}
{%- if kafka_cdc.should_check_tables() -%}
    {%- do checks.extend([
        kafka_cdc.select_unordered_tables(relations.events, batch_stats),
        kafka_cdc.select_falling_sequences(relations.sequence_resets, batch_stats),
        kafka_cdc.select_missing_keys(batch_stats),
        kafka_cdc.select_remapped_tables(relations.outdated_topic_mappings, batch_stats),
    ]) -%}
    {%- if kafka_cdc.has_masks() or kafka_cdc.get_stream_facts(batch_stats).masks -%}
        {%- do checks.append(kafka_cdc.select_remasked_tables(batch_stats)) -%}
    {%- endif -%}
    {%- if kafka_cdc.get_check_chains() == 'hold' or kafka_cdc.has_table_setting('check_chains', ['hold']) -%}
        {%- do checks.append(kafka_cdc.select_broken_chains(relations.chain_breaks, batch_stats)) -%}
    {%- endif -%}
{%- elif published_holds -%}
    {%- do checks.append(kafka_cdc._published_findings(published_holds)) -%}
{%- endif -%}
{%- if kafka_cdc.has_table_setting('hold', ['true']) or not checks -%}
    {%- do checks.append(kafka_cdc.select_tables_held_by_setting(batch_stats)) -%}
{%- endif -%}
{%- for check in checks %}
{{ 'union all' if not loop.first }}
select *
from (
    {{ check | indent(4) }}
) as findings
{%- endfor %}
{%- endmacro %}

{# Prints a SELECT: the findings of the published holds, but those of the setting hold. #}
{% macro _published_findings(published_holds) -%}
select
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    check_name,
    finding,
    remedy
from {{ published_holds }}
where check_name not in ('held_by_setting', 'renamed_with_held_table')
{%- endmacro %}
