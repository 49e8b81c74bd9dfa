{#
  Returns the versions of a table that were made after another one, up to the latest.

  Arguments:
    table (relation): the table.
    after (integer): the earlier version.
    latest (integer): the latest version.

  Returns: a mapping of version to a mapping (dict[integer, dict]). Its entries are `parent`, the
    number of the version before it, and `is_rewrite`, whether the content is that of the parent.
#}
{% macro delta_versions(table, after, latest) %}
    {%- set rewrites = ['OPTIMIZE', 'REORG', 'VACUUM START', 'VACUUM END', 'SET TBLPROPERTIES'] -%}
    {%- set versions = {} -%}
    {%- for row in run_query('describe history ' ~ table ~ ' limit ' ~ [latest - after, 1] | max).rows -%}
        {%- do versions.update({
            row.version: {
                'parent': row.version - 1,
                'is_rewrite': row.operation in rewrites,
            },
        }) -%}
    {%- endfor -%}
    {{ return(versions) }}
{% endmacro %}
