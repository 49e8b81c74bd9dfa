{#
  Returns the snapshots of a table that were made after another one, and perhaps more.

  Arguments:
    table (relation): the table.
    after (integer): the earlier snapshot; not used, Iceberg lists all.
    latest (integer): the latest snapshot; not used.

  Returns: a mapping of snapshot id to a mapping (dict[integer, dict]). Its entries are `parent`,
    the id of the snapshot before it, and `is_rewrite`, whether the content is that of the parent.
#}
{% macro iceberg_versions(table, after, latest) %}
    {%- set versions = {} -%}
    {%- for row in run_query('select snapshot_id, parent_id, operation from ' ~ table ~ '.snapshots').rows -%}
        {%- do versions.update({
            row.snapshot_id: {
                'parent': row.parent_id,
                'is_rewrite': row.operation == 'replace',
            },
        }) -%}
    {%- endfor -%}
    {{ return(versions) }}
{% endmacro %}
