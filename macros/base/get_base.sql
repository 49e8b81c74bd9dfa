{#
  Returns how far base_events holds what events hold, told by Iceberg's lists of files, without the data. A mapping: snapshot (of events),
  is_whole (whether every batch that is merged stands in events as it was merged, by the same rule), bound and open (batches behind
  `bound`, and the batches `open` before it, are not merged), tail_events (how many events these have; all, where it is not whole).
  base: base_events, with the version to look at; none where there is none.
#}
{% macro get_base(events, base) %}
    {%- set held = {'snapshot': none, 'is_whole': false, 'bound': none, 'open': [], 'tail_events': 0} -%}
    {%- if not execute or load_relation(events) is none %}{{ return(held) }}{% endif -%}
    {%- do held.update({'snapshot': get_newest_snapshot(events)}) -%}
    {%- if held.snapshot is none %}{{ return(held) }}{% endif -%}
    {%- set query -%}
        select
            landing_batch,
            merged.merged_version is not null as is_merged,
            merged.merged_version is null or merged.merged_version <=> written.merged_version as is_as_merged,
            coalesce(written.events, 0) as events
        from ({{ written_batches(events, held.snapshot) }}) as written
        full join ({{ _merged_batches(base) }}) as merged using (landing_batch)
        order by landing_batch desc
    {%- endset -%}
    {%- set batches = run_query(query).rows -%}
    {%- set merged = batches | selectattr('is_merged') | list -%}
    {%- do held.update({'is_whole': merged != [] and batches | rejectattr('is_as_merged') | list == []}) -%}
    {%- set tail = batches | rejectattr('is_merged') | list if held.is_whole else batches -%}
    {%- do held.update({'tail_events': tail | sum(attribute='events')}) -%}
    {%- if held.is_whole -%}
        {%- do held.update({'bound': merged[0].landing_batch}) -%}
        {%- for batch in tail if batch.landing_batch < held.bound %}{% do held.open.append(batch.landing_batch) %}{% endfor -%}
    {%- endif -%}
    {{ return(held) }}
{% endmacro %}

{# Prints the SELECT of the batches that a base holds, none without a base. #}
{% macro _merged_batches(base) -%}
    {%- if base is none -%}
    select cast(null as bigint) as landing_batch, cast(null as bigint) as merged_version where false
    {%- else -%}
    select landing_batch, merged_version from {{ base }} where event_kind = 'merged'
    {%- endif -%}
{%- endmacro %}
