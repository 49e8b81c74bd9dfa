{#
  Prints the CTEs up to `candidate_events`: the changes that decide the chains of some landing batches.

  These are the changes of the batches, and the earlier changes of the same rows.

  Arguments:
    events (relation): the model events.
    merged (optional[string]): SQL of merged_rows at one of its versions; none if it has none.
    coverage (dict[string, any]): from get_merge_coverage.
    batches (optional[list[integer]]): the landing batches; none for all.
    has_few_keys (boolean): whether Spark is to send the changed keys to each task.
    suspected_rows (optional[list[dict[string, string]]]): from get_suspected_rows; none for all.
#}
{% macro chain_candidates_ctes(events, merged, coverage, batches, has_few_keys, suspected_rows) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{{ kafka_cdc.earlier_events_cte(events, merged, coverage) }},

-- A row with one change needs no check, if that change begins it.
changed_keys as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        changed_key
    from {{ events }}
    lateral view explode(array_compact(array(row_key, previous_row_key))) keys as changed_key
    where
        event_kind = 'change'
        {%- if batches is not none %}
        and {{ kafka_cdc.in_batches_condition(batches) }}
        {%- endif %}
        {%- if suspected_rows is not none %}
        and ({{ table }}, changed_key) in (
            {%- for row in suspected_rows %}
            (
                {%- for column in kafka_cdc.get_table_columns() -%}
                {{ kafka_cdc.sql_literal(row[column]) }}, {% endfor -%}
                {{ kafka_cdc.sql_literal(row.row_key) }}
            ){{ ',' if not loop.last }}
            {%- endfor %}
        )
        {%- endif %}
    group by {{ table }}, changed_key
    {%- if batches is none %}
    having count(*) > 1 or bool_or(operation not in ('insert', 'snapshot'))
    {%- endif %}
),

candidate_events as (
    select {{ '/*+ broadcast(own_keys), broadcast(old_keys) */ ' if has_few_keys }}earlier_events.*
    from earlier_events
    left join changed_keys as own_keys
        on
            {%- for column in kafka_cdc.get_table_columns() %}
            earlier_events.{{ column }} = own_keys.{{ column }} and
            {%- endfor %}
            earlier_events.row_key = own_keys.changed_key
    left join changed_keys as old_keys
        on
            {%- for column in kafka_cdc.get_table_columns() %}
            earlier_events.{{ column }} = old_keys.{{ column }} and
            {%- endfor %}
            earlier_events.previous_row_key = old_keys.changed_key
    where own_keys.changed_key is not null or old_keys.changed_key is not null
)
{%- endmacro %}
