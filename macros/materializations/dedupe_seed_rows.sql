{# After a seed is loaded: keeps each row once where two runs have loaded it at the same moment (dbt drops a seed, makes it and inserts its rows). #}
{% macro dedupe_seed_rows(seed) %}
    {%- if execute and run_query('select count(*) from ' ~ seed).rows[0][0] > load_agate_table().rows | length -%}
        {%- do run_query('insert overwrite ' ~ seed ~ ' select distinct * from ' ~ seed) -%}
    {%- endif -%}
{% endmacro %}
