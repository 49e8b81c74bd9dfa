{#
  Returns the landing batches that a query on event_batch_stats selects, list[integer], sorted.

  As literals they let Spark skip the files of all other batches. It is empty if there are no
  statistics yet.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    query (string): SQL of the query; it must select landing_batch.
#}
{% macro get_selected_batches(batch_stats, query) %}
    {%- if not execute or load_relation(batch_stats) is none -%}
        {{ return([]) }}
    {%- endif -%}

    {%- set sql -%}
        select distinct landing_batch
        from ({{ query }}) as selected
        order by landing_batch
    {%- endset -%}
    {{ return(run_query(sql).columns[0].values() | list) }}
{% endmacro %}
