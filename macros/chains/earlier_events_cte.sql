{#
  Prints the CTE `earlier_events`: the changes of rows, each in the model that has it.

  Changes come from compacted_events if their batch is compacted, so that history is not read.

  Arguments:
    events (relation): the model events.
    compacted (optional[string]): SQL of compacted_events at one of its versions; none if it has
      none.
    coverage (dict[string, any]): from get_compaction_coverage.
    has_before_rows (boolean): whether the compacted changes have their before images.
#}
{% macro earlier_events_cte(events, compacted, coverage, has_before_rows=true) -%}
{%- set columns = kafka_cdc.get_event_columns().keys() | join(', ') -%}
{%- set compacted_columns = columns -%}
{%- if not has_before_rows -%}
    {%- set no_image = ' cast(null as map<string, string>) as before_row,' -%}
    {%- set compacted_columns = columns | replace(' before_row,', no_image) -%}
{%- endif -%}
earlier_events as (
    {%- if coverage.is_valid %}
    select {{ compacted_columns }}
    from {{ compacted }}
    where event_kind = 'change' and operation <> 'truncate'
    union all
    {%- endif %}
    select {{ columns }}
    from {{ events }}
    where
        event_kind = 'change'
        and operation <> 'truncate'
        {%- if coverage.is_valid %}
        and {{ kafka_cdc.in_batches_condition(coverage.pending_batches) }}
        {%- endif %}
)
{%- endmacro %}
