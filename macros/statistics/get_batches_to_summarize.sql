{#
  Returns the landing batches whose events were written since they were last profiled, batch → a number that its files have and no
  others. none: all (nothing is profiled yet, or dbt only compiles).
  Told by the names of their files. (The numbers of snapshots are gone once snapshots expire.)
#}
{% macro get_batches_to_summarize(events, profiles) %}
    {%- if not execute or load_relation(events) is none %}{{ return(none) }}{% endif -%}
    {%- set query -%}
        select written.landing_batch, written.events_version
        from (
            select landing_batch, xxhash64(files) as events_version
            from ({{ kafka_cdc.get_table_format_macro('batch_files')(events, kafka_cdc.get_latest_version(events)) }})
        ) as written
        {%- if load_relation(profiles) is not none %}
        left anti join {{ profiles }} as profiled
            on profiled.landing_batch = written.landing_batch and profiled.events_version = written.events_version
        {%- endif %}
        order by 1
    {%- endset -%}
    {%- set batches = {} -%}
    {%- for batch, version in run_query(query).rows %}{% do batches.update({batch: version}) %}{% endfor -%}
    {{ return(batches) }}
{% endmacro %}
