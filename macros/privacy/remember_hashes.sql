{# Adds to the list of forgotten rows those hashes that are not on it. hashes: a SELECT of row_hash. #}
{% macro remember_hashes(forgotten, hashes) %}
    {%- do run_query('insert into ' ~ forgotten ~ ' select distinct row_hash, current_timestamp() as forgotten_at from (' ~ hashes
        ~ ') as hashes left anti join ' ~ forgotten ~ ' as known using (row_hash)') -%}
{% endmacro %}
