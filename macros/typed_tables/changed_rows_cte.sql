{#
  Prints the CTE `changed_rows`: the keys in the events that are new for a typed table.

  Arguments:
    plan (dict[string, any]): from get_typed_table_plan, with change keys.
    events (relation): the model events.
#}
{% macro changed_rows_cte(plan, events) -%}
changed_rows as (
    select distinct
        {%- for column in kafka_cdc.get_shard_columns(plan.request) %}
        {{ column }},
        {%- endfor %}
        changed_key as row_key
    from {{ kafka_cdc.published_relation(events) }}
    lateral view explode(array_compact(array(row_key, previous_row_key))) keys as changed_key
    where
        event_kind = 'change'
        and {{ kafka_cdc.in_batches_condition(plan.batches) }}
        and {{ kafka_cdc.stream_condition(plan.stream) }}
)
{%- endmacro %}
