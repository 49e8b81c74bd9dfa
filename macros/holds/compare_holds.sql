{#
  Returns how the rows of a query differ from those of table_holds, a string.

  none: neither has rows, so that there is nothing to write.
  same: it has these rows, so that there is nothing to write.
  ended: the query has no rows, and the table has some.
  changed: anything else. The time at which a hold begins does not count.

  Arguments:
    table_holds (relation): the model table_holds.
    query (string): SQL of its rows, from select_table_holds.
#}
{% macro compare_holds(table_holds, query) %}
    {%- if not execute or flags.WHICH not in ['run', 'build'] or load_relation(table_holds) is none -%}
        {{ return('changed') }}
    {%- endif -%}

    {%- set columns = kafka_cdc.get_table_columns()
        + ['last_published_batch', 'late_batches', 'check_name', 'finding', 'remedy'] -%}
    {%- set rows = 'array_sort(collect_list(to_json(struct(' ~ columns | join(', ') ~ '))))' -%}
    {%- set comparison -%}
        select case
            when size(found.rows) = 0 and size(existing.rows) = 0 then 'none'
            when found.rows = existing.rows then 'same'
            when size(found.rows) = 0 then 'ended'
            else 'changed'
        end
        from (select {{ rows }} as rows from ({{ query }}) as found) as found
        cross join (select {{ rows }} as rows from {{ table_holds }}) as existing
    {%- endset -%}
    {{ return(run_query(comparison).rows[0][0]) }}
{% endmacro %}
