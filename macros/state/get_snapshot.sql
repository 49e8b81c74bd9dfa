{# Returns the number of the snapshot of a table that has a name (a branch or a tag), none where there is no such name. #}
{% macro get_snapshot(table, name) %}
    {%- if not execute %}{{ return(none) }}{% endif -%}
    {{ return(run_query('select max(snapshot_id) from ' ~ table ~ ".refs where name = '" ~ name ~ "'").columns[0].values()[0]) }}
{% endmacro %}
