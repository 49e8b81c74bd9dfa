{#
  Returns which landing batches of events are not published, by the data files of events.

  events is published after its statistics and the holds. If a run is killed in between, a batch
  counts as published only if its events are.

  Arguments:
    events (relation): the model events.

  Returns: list[integer], the batches of the latest version that the published one lacks; none if nothing
    is published.
#}
{% macro get_unpublished_batches(events) %}
    {%- set exists = execute and load_relation(events) is not none -%}
    {%- set published = kafka_cdc.get_published_version(events) if exists else none -%}
    {%- set latest = kafka_cdc.get_built_version(events) if exists else none -%}
    {%- if published is none or published == latest -%}
        {{ return(none if published is none else []) }}
    {%- endif -%}

    {%- set known = kafka_cdc.get_run_memory().setdefault('unpublished_batches', {}) -%}
    {%- if (published, latest) not in known -%}
        {%- set batch_files = kafka_cdc.get_table_format_macro('batch_files') -%}
        {%- set query -%}
            select written.landing_batch
            from ({{ batch_files(events, latest) }}) as written
            left anti join ({{ batch_files(events, published) }}) as published using (landing_batch)
            order by written.landing_batch
        {%- endset -%}
        {%- do known.update({(published, latest): run_query(query).columns[0].values() | list}) -%}
    {%- endif -%}
    {{ return(known[(published, latest)]) }}
{% endmacro %}
