{#
  Prints the CTE befores: the key of the row before a change, where it came apart from the row after it: for an update the other half of a
  split update, for an insert the deletion at the same place in the vendor's order. changes: a CTE of ordered_changes_ctes.
#}
{% macro before_events_cte(changes) -%}
{%- set place = (kafka_cdc.get_table_columns() + ['sequence_generation', 'source_sequence']) | join(', ') -%}
befores as (
    select
        {{ place }},
        if(operation = 'delete', 'insert', 'update') as operation,
        max(row_key) as before_key
    from {{ changes }}
    where operation in ('update_before', 'delete') and source_sequence is not null
    group by {{ place }}, operation
    having count(distinct row_key) = 1
)
{%- endmacro %}
