{# Returns the snapshots of a table: number → parent, the number of the one that it was made of, and is_rewrite, whether it says the same as that. #}
{% macro iceberg_snapshots(table) %}
    {%- set snapshots = {} -%}
    {%- for row in run_query('select snapshot_id, parent_id, operation from ' ~ table ~ '.snapshots').rows -%}
        {%- do snapshots.update({row.snapshot_id: {'parent': row.parent_id, 'is_rewrite': row.operation == 'replace'}}) -%}
    {%- endfor -%}
    {{ return(snapshots) }}
{% endmacro %}
