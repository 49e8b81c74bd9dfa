{#
  Post-hook of a seed: removes duplicate rows that two concurrent runs have loaded.

  dbt drops a seed, creates it and inserts its rows. Two runs at once may both insert. A seed that this
  run left unchanged has the rows of its file, each once.

  Arguments:
    seed (relation): the loaded table.
#}
{% macro dedupe_seed_rows(seed) %}
    {%- set is_unchanged = (seed | string) in kafka_cdc.get_run_memory().get('unchanged_seeds', []) -%}
    {%- if execute and not is_unchanged -%}
        {%- set rows = run_query('select count(*) from ' ~ seed).rows[0][0] -%}
        {%- if rows > load_agate_table().rows | length -%}
            {%- do run_query('insert overwrite ' ~ seed ~ ' select distinct * from ' ~ seed) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
