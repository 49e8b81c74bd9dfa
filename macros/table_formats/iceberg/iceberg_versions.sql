{#
  Returns the snapshots of a table that were made after one, and others: number → parent, the number of the one that it was made of, and
  is_rewrite, whether it says the same as that. after, newest: numbers; here not needed.
#}
{% macro iceberg_versions(table, after, newest) %}
    {%- set snapshots = {} -%}
    {%- for row in run_query('select snapshot_id, parent_id, operation from ' ~ table ~ '.snapshots').rows -%}
        {%- do snapshots.update({row.snapshot_id: {'parent': row.parent_id, 'is_rewrite': row.operation == 'replace'}}) -%}
    {%- endfor -%}
    {{ return(snapshots) }}
{% endmacro %}
