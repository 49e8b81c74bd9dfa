{#
  Returns the landing batches whose events event_batch_stats has not summarized yet.

  They are found by the names of their data files. Version numbers of the table would not do,
  because they are gone once old versions expire.

  Arguments:
    events (relation): the model events.
    batch_stats (relation): the model event_batch_stats.

  Returns: a mapping of landing batch to fingerprint of its files (dict[integer, integer]).
    None means all batches: dbt only parses, there is no table events yet, or it is empty and there is
    no table event_batch_stats yet.
#}
{% macro get_batches_to_summarize(events, batch_stats) %}
    {%- if not execute or load_relation(events) is none -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set latest = kafka_cdc.get_latest_version(events, is_fresh=false) -%}
    {%- set query -%}
        select written.landing_batch, written.events_version
        from (
            select landing_batch, xxhash64(files) as events_version
            from ({{ kafka_cdc.get_table_format_macro('batch_files')(events, latest) }})
        ) as written
        {%- if load_relation(batch_stats) is not none %}
        left anti join {{ batch_stats }} as summarized
            on summarized.landing_batch = written.landing_batch
            and summarized.events_version = written.events_version
        {%- endif %}
        order by 1
    {%- endset -%}

    {%- set batches = {} -%}
    {%- for batch, events_version in run_query(query).rows -%}
        {%- do batches.update({batch: events_version}) -%}
    {%- endfor -%}
    {{ return(none if batches == {} and load_relation(batch_stats) is none else batches) }}
{% endmacro %}
