{#
  Post-hook of a seed: removes duplicate rows that two concurrent runs have loaded.

  dbt drops a seed, creates it and inserts its rows. Two runs at once may both insert.

  Arguments:
    seed (relation): the loaded table.
#}
{% macro dedupe_seed_rows(seed) %}
    {%- if execute and run_query('select count(*) from ' ~ seed).rows[0][0] > load_agate_table().rows | length -%}
        {%- do run_query('insert overwrite ' ~ seed ~ ' select distinct * from ' ~ seed) -%}
    {%- endif -%}
{% endmacro %}
