{#
  Post-hook of a seed: removes duplicate rows that two concurrent runs have loaded.

  dbt drops a seed, creates it and inserts its rows. Two runs at once may both insert. A seed that
  this run left unchanged is not counted.

  Arguments:
    seed (relation): the loaded table.
#}
{% macro dedupe_seed_rows(seed) %}
    {%- if execute and (seed | string) not in kafka_cdc.get_run_memory().get('unchanged_seeds', []) -%}
        {%- set rows = run_query('select count(*) from ' ~ seed).rows[0][0] -%}
        {%- if rows > load_agate_table().rows | length -%}
            {%- do run_query('insert overwrite ' ~ seed ~ ' select distinct * from ' ~ seed) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
