{#
  Prints the CTEs `changed_keys` and `candidate_events`: what decides the chains of some landing batches.

  These are the changes of the batches, the earlier changes of the same rows, and the events that
  empty or rename tables. Earlier changes come from compacted_events where a batch is compacted, so
  that history is not read.

  Arguments:
    events (relation): the model events.
    compacted (optional[string]): SQL of compacted_events at one of its versions; none if it has
      none.
    coverage (dict[string, any]): from get_compaction_coverage.
    batches (optional[dict[integer, integer]]): the landing batches, see get_batches_to_summarize;
      none for all, so that the changes of all rows are candidates.
#}
{% macro chain_candidates_ctes(events, compacted, coverage, batches) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set columns = kafka_cdc.get_event_columns().keys() | join(', ') -%}
earlier_events as (
    {%- if coverage.is_valid %}
    select {{ columns }}
    from {{ compacted }}
    where event_kind <> 'merged'
    union all
    {%- endif %}
    select {{ columns }}
    from {{ events }}
    {%- if coverage.is_valid %}
    where {{ kafka_cdc.in_batches_condition(coverage.pending_batches) }}
    {%- endif %}
),
{% if batches is none %}
candidate_events as (
    select *
    from earlier_events
)
{%- else %}
changed_keys as (
    select distinct
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        changed_key
    from {{ events }}
    lateral view explode(array_compact(array(row_key, previous_row_key))) keys as changed_key
    where
        {{ kafka_cdc.in_batches_condition(batches.keys() | list) }}
        and event_kind = 'change'
),

candidate_events as (
    select earlier_events.*
    from earlier_events
    left semi join changed_keys
        on
            {%- for column in kafka_cdc.get_table_columns() %}
            earlier_events.{{ column }} = changed_keys.{{ column }} and
            {%- endfor %}
            earlier_events.row_key = changed_keys.changed_key
    where event_kind = 'change' and operation <> 'truncate'
    union all
    select earlier_events.*
    from earlier_events
    left semi join changed_keys
        on
            {%- for column in kafka_cdc.get_table_columns() %}
            earlier_events.{{ column }} = changed_keys.{{ column }} and
            {%- endfor %}
            earlier_events.previous_row_key = changed_keys.changed_key
    left anti join changed_keys as own_keys
        on
            {%- for column in kafka_cdc.get_table_columns() %}
            earlier_events.{{ column }} = own_keys.{{ column }} and
            {%- endfor %}
            earlier_events.row_key = own_keys.changed_key
    where event_kind = 'change' and previous_row_key is not null
    union all
    select *
    from earlier_events
    where event_kind <> 'change' or operation = 'truncate'
)
{%- endif %}
{%- endmacro %}
