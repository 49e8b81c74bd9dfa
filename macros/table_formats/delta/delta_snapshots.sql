{# Returns the versions of a table: number → parent, the number of the one before it, and is_rewrite, whether it says the same as that. #}
{% macro delta_snapshots(table) %}
    {%- set snapshots = {} -%}
    {%- for row in run_query('describe history ' ~ table).rows -%}
        {%- set is_rewrite = row.operation in ['OPTIMIZE', 'REORG', 'VACUUM START', 'VACUUM END', 'SET TBLPROPERTIES'] -%}
        {%- do snapshots.update({row.version: {'parent': row.version - 1, 'is_rewrite': is_rewrite}}) -%}
    {%- endfor -%}
    {{ return(snapshots) }}
{% endmacro %}
