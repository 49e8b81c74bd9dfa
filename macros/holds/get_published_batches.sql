{#
  Returns which landing batches are published, by their batch statistics.

  Arguments:
    batch_stats (relation): the model event_batch_stats.

  Returns: a mapping with
    last_published_batch (integer): the highest landing batch of the published version; none if
      there is none.
    unpublished_batches (list[integer]): the batches of the latest version that the published one
      lacks.
#}
{% macro get_published_batches(batch_stats) %}
    {%- set batches = {'last_published_batch': none, 'unpublished_batches': []} -%}
    {%- set published = kafka_cdc.get_versioned_relation(batch_stats, is_published=true) -%}
    {%- if published is not none -%}
        {%- set query -%}
            select
                (select max(landing_batch) from {{ published }}) as last_published_batch,
                array_join(array_sort(collect_set(landing_batch)), ',') as unpublished_batches
            from {{ batch_stats }}
            left anti join (select distinct landing_batch from {{ published }}) as published using (landing_batch)
        {%- endset -%}
        {%- set row = run_query(query).rows[0] -%}
        {%- do batches.update({
            'last_published_batch': row.last_published_batch,
            'unpublished_batches': row.unpublished_batches.split(',') | select | map('int') | list,
        }) -%}
    {%- endif -%}
    {{ return(batches) }}
{% endmacro %}
