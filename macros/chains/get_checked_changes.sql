{#
  Returns how many changes some landing batches have.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    batches (optional[list[integer]]): the landing batches; none for all.

  Returns: a mapping with
    has_few_keys (boolean): whether the keys of the changes fit into each task's memory.
    unsnapshotted (optional[integer]): number of changes that are not rows of a source snapshot,
      which begin chains. None if there are no statistics.
#}
{% macro get_checked_changes(batch_stats, batches) %}
    {%- if not execute or load_relation(batch_stats) is none -%}
        {{ return({'has_few_keys': false, 'unsnapshotted': none}) }}
    {%- endif -%}

    {%- set query -%}
        select
            coalesce(sum(changes), 0) as changes,
            coalesce(sum(changes - snapshot_rows), 0) as unsnapshotted
        from {{ batch_stats }}
        {%- if batches is not none %}
        where {{ kafka_cdc.in_batches_condition(batches) }}
        {%- endif %}
    {%- endset -%}
    {%- set row = run_query(query).rows[0] -%}
    {{ return({
        'has_few_keys': batches is not none and row.changes | int <= 200000,
        'unsnapshotted': row.unsnapshotted | int,
    }) }}
{% endmacro %}
