{#
  Returns the versions of a table that were made after one, up to the newest: number → parent, the number of the one before it, and is_rewrite,
  whether it says the same as that.
#}
{% macro delta_versions(table, after, newest) %}
    {%- set snapshots = {} -%}
    {%- for row in run_query('describe history ' ~ table ~ ' limit ' ~ [newest - after, 1] | max).rows -%}
        {%- set is_rewrite = row.operation in ['OPTIMIZE', 'REORG', 'VACUUM START', 'VACUUM END', 'SET TBLPROPERTIES'] -%}
        {%- do snapshots.update({row.version: {'parent': row.version - 1, 'is_rewrite': is_rewrite}}) -%}
    {%- endfor -%}
    {{ return(snapshots) }}
{% endmacro %}
