{#
  Returns the landing batches that a query on event_batch_stats selects, list[integer], sorted.

  As literals they let Spark skip the files of all other batches. It is empty if there are no
  statistics yet. An empty result is remembered for the next run (record_fingerprint).

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    query (string): SQL of the query; it must select landing_batch.
    name (optional[string]): names the query for the record if its SQL differs from run to run.
#}
{% macro get_selected_batches(batch_stats, query, name=none) %}
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
        {%- set record = 'batches ' ~ (name or local_md5(query)[:10]) -%}
        {%- set fingerprint = local_md5(relation ~ query) -%}
        {%- set is_empty = kafka_cdc.is_recorded_fingerprint(record, fingerprint) -%}
        {%- set batches = [] if is_empty else run_query(sql).columns[0].values() | list -%}
        {%- if not batches -%}
            {%- do kafka_cdc.record_fingerprint(record, fingerprint) -%}
        {%- endif -%}
        {%- do known.update({(relation, query): batches}) -%}
    {%- endif -%}
    {{ return(known[(relation, query)]) }}
{% endmacro %}
