{#
  Prints the CTE `before_events`: the key before a change, from a separate event.

  Some vendors send an update as two events, a before event and an after event. Some send an update
  of the primary key as a delete and an insert. The two share the vendor's sequence. If events of
  several rows share one sequence, the pairs are ambiguous, and the CTE leaves them out.

  Example, five changes of one table:
    operation      source_sequence  row_key        in before_events
    update_before  [7, 100]         {"id":"1"}     operation update, before_key {"id":"1"}
    update         [7, 100]         {"id":"2"}     -
    delete         [7, 200]         {"id":"3"}     operation insert, before_key {"id":"3"}
    insert         [7, 200]         {"id":"4"}     -
    update_before  null             {"id":"5"}     none: no sequence links it to an update

  Arguments:
    changes (string): name of a CTE with the row changes, such as `changes` of ordered_changes_ctes.
#}
{% macro before_events_cte(changes) -%}
{%- set position = (kafka_cdc.get_table_columns() + ['sequence_generation', 'source_sequence']) | join(', ') -%}
before_events as (
    select
        {{ position }},
        pair as operation,
        max(row_key) filter (where is_before) as before_key
    from (
        select
            *,
            operation in ('update_before', 'delete') as is_before,
            if(operation in ('delete', 'insert'), 'insert', 'update') as pair
        from {{ changes }}
        where operation in ('update_before', 'update', 'delete', 'insert') and source_sequence is not null
    ) as separate_events
    group by {{ position }}, pair
    having
        count(distinct row_key) filter (where is_before) = 1
        and count(distinct row_key) filter (where not is_before) = 1
)
{%- endmacro %}
