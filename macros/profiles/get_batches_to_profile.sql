{#
  Returns the landing batches whose events were written since they were last profiled, batch → the snapshot of events that wrote
  them. none: all (nothing is profiled yet, or dbt only compiles).
  Reads Iceberg's own metadata, no data.
#}
{% macro get_batches_to_profile(events, profiles) %}
    {%- if not execute or load_relation(events) is none %}{{ return(none) }}{% endif -%}
    {%- set query -%}
        select written.partition.landing_batch, written.last_updated_snapshot_id
        from {{ events }}.partitions as written
        {%- if load_relation(profiles) is not none %}
        left anti join {{ profiles }} as profiled
            on profiled.landing_batch = written.partition.landing_batch and profiled.events_snapshot = written.last_updated_snapshot_id
        {%- endif %}
        order by 1
    {%- endset -%}
    {%- set batches = {} -%}
    {%- for batch, snapshot in run_query(query).rows %}{% do batches.update({batch: snapshot}) %}{% endfor -%}
    {{ return(batches) }}
{% endmacro %}
