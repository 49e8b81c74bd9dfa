{#
  Returns the landing batches that a query on event_batch_stats selects, list[integer], sorted.

  As literals they let Spark skip the files of all other batches. It is empty if there are no
  statistics yet.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    query (string): SQL of the query; it must select landing_batch.
#}
{% macro get_selected_batches(batch_stats, query) %}
    {%- set relation = kafka_cdc.get_versioned_relation(batch_stats) -%}
    {%- if relation is none -%}
        {{ return([]) }}
    {%- endif -%}

    {#- Two models of a build ask for the batches around sequence resets. -#}
    {%- set known = kafka_cdc.get_run_memory().setdefault('selected_batches', {}) -%}
    {%- if (relation, query) not in known -%}
        {%- set sql -%}
            select distinct landing_batch
            from ({{ query }}) as selected
            order by landing_batch
        {%- endset -%}
        {%- do known.update({(relation, query): run_query(sql).columns[0].values() | list}) -%}
    {%- endif -%}
    {{ return(known[(relation, query)]) }}
{% endmacro %}
