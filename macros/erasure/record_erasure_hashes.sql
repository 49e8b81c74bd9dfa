{# Adds to the list of erased rows those hashes that are not on it. hashes: a SELECT of row_hash. #}
{% macro record_erasure_hashes(erased, hashes) %}
    {%- do run_query('insert into ' ~ erased ~ ' select distinct row_hash, current_timestamp() as erased_at from (' ~ hashes
        ~ ') as hashes left anti join ' ~ erased ~ ' as known using (row_hash)') -%}
{% endmacro %}
