{#
  Returns which landing batches are published, by the data files of events.

  events is published after its statistics and the holds. If a run is killed in between, a batch
  counts as published only if its events are.

  Arguments:
    events (relation): the model events.

  Returns: a mapping with
    last_published_batch (integer): the highest landing batch of the published version; none if
      there is none.
    unpublished_batches (list[integer]): the batches of the latest version that the published one
      lacks.
#}
{% macro get_published_batches(events) %}
    {%- set batches = {'last_published_batch': none, 'unpublished_batches': []} -%}
    {%- set exists = execute and load_relation(events) is not none -%}
    {%- set version = kafka_cdc.get_published_version(events) if exists else none -%}
    {%- if version is not none -%}
        {%- set batch_files = kafka_cdc.get_table_format_macro('batch_files') -%}
        {%- set published = batch_files(events, version) -%}
        {%- set latest = kafka_cdc.get_built_version(events) -%}
        {%- set query -%}
            {%- if latest == version -%}
            select max(landing_batch) as last_published_batch, '' as unpublished_batches
            from ({{ published }}) as published
            {%- else -%}
            select
                (select max(landing_batch) from ({{ published }}) as published) as last_published_batch,
                array_join(array_sort(collect_set(landing_batch)), ',') as unpublished_batches
            from ({{ batch_files(events, latest) }}) as written
            left anti join ({{ published }}) as published using (landing_batch)
            {%- endif -%}
        {%- endset -%}
        {%- set row = run_query(query).rows[0] -%}
        {%- do batches.update({
            'last_published_batch': row.last_published_batch,
            'unpublished_batches': row.unpublished_batches.split(',') | select | map('int') | list,
        }) -%}
    {%- endif -%}
    {{ return(batches) }}
{% endmacro %}
