{#
  Returns the landing batches whose events were written since they were last profiled, batch → a number that its files have and no
  others. none: all (nothing is profiled yet, or dbt only compiles).
  Reads Iceberg's list of files, no data. (Its numbers of snapshots are gone once snapshots expire.)
#}
{% macro get_batches_to_profile(events, profiles) %}
    {%- if not execute or load_relation(events) is none %}{{ return(none) }}{% endif -%}
    {%- set query -%}
        select written.landing_batch, written.events_version
        from (
            select partition.landing_batch, xxhash64(array_sort(collect_list(file_path))) as events_version
            from {{ events }}.files
            group by partition.landing_batch
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
