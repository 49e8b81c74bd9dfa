{#
  Returns a condition: a fall of a vendor's sequence was not checked before, or its table is held for it.

  A late change stays in the statistics. Without this condition each run would read the events around
  all late changes of the past. The published versions of event_batch_stats and table_holds were
  checked together, if a run has recorded that (record_checked_falls) with the same settings. A fall
  that is not held then was late, unless one of its batches has changed since.

  Arguments:
    batch_stats (relation): the model event_batch_stats.

  Returns: optional[string]; none if all falls have to be checked.

  Requires: columns `landing_batch`, `before.landing_batch` and those that name the source table.
#}
{% macro get_unchecked_falls_condition(batch_stats) %}
    {%- set latest = kafka_cdc.get_versioned_relation(batch_stats) -%}
    {%- set holds = kafka_cdc.get_model_relation('table_holds') -%}
    {%- if latest is none or holds is none or not kafka_cdc.has_table(holds) -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set known = kafka_cdc.get_run_memory().setdefault('unchecked_falls', {}) -%}
    {%- if latest not in known -%}
        {%- set stats_version = kafka_cdc.get_published_version(batch_stats) -%}
        {%- set holds_version = kafka_cdc.get_published_version(holds) -%}
        {%- set fingerprint = kafka_cdc.get_checked_falls_fingerprint(batch_stats, stats_version, holds_version) -%}
        {%- set is_known = stats_version is not none and holds_version is not none
            and kafka_cdc.is_recorded_fingerprint('checked_falls', fingerprint) -%}
        {%- do known.update({latest: kafka_cdc._unchecked_falls(batch_stats, latest, holds) if is_known else none}) -%}
    {%- endif -%}
    {{ return(known[latest]) }}
{% endmacro %}

{# Returns the condition, from the published versions: SQL with the unchecked batches and the held tables. #}
{% macro _unchecked_falls(batch_stats, latest, holds) %}
    {%- set columns = kafka_cdc.get_table_columns() -%}
    {%- set query -%}
        select distinct landing_batch
        from {{ latest }}
        left anti join {{ kafka_cdc.get_versioned_relation(batch_stats, is_published=true) }}
            using (landing_batch, events_version)
        order by landing_batch
    {%- endset -%}
    {%- set batches = run_query(query).columns[0].values() | list -%}
    {%- set conditions = [
        kafka_cdc.in_batches_condition(batches),
        'before.' ~ kafka_cdc.in_batches_condition(batches) if batches else 'false',
    ] -%}
    {%- set held -%}
        select distinct {{ columns | join(', ') }}
        from {{ kafka_cdc.get_versioned_relation(holds, is_published=true) }}
        where check_name = 'falling_sequence'
        order by all
    {%- endset -%}
    {%- for row in run_query(held).rows -%}
        {%- set parts = [] -%}
        {%- for column in columns -%}
            {%- do parts.append(column ~ ' = ' ~ kafka_cdc.sql_literal(row[loop.index0])) -%}
        {%- endfor -%}
        {%- do conditions.append(parts | join(' and ')) -%}
    {%- endfor -%}
    {{ return('(' ~ conditions | join(' or ') ~ ')') }}
{% endmacro %}
