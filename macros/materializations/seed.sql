{#
  The materialization of this project's seeds: as dbt's, but a table that holds the file's rows already stays as it is (but for --full-refresh).
  dbt would drop it in each run, and make it anew, for two seconds in which no other run finds it. A project that installs this one has dbt's own.
#}
{% materialization seed, adapter='spark' %}
    {%- set file = load_agate_table() -%}
    {%- if should_full_refresh() or not kafka_cdc._has_rows(this, file, config.get('column_types', {})) -%}
        {{ return(materialization_seed_default()) }}
    {%- endif -%}
    {%- do store_result('agate_table', response='OK', agate_table=file) -%}
    {{ return(kafka_cdc.skip_materialization(this, 'unchanged')) }}
{% endmaterialization %}

{# Returns whether a relation is there with the columns and rows of a file, all of them text; types: column → type, as the project says it. #}
{% macro _has_rows(relation, file, types) %}
    {%- if load_relation(relation) is none %}{{ return(false) }}{% endif -%}
    {%- set columns, wanted, lines = [], [], [] -%}
    {%- for column in adapter.get_columns_in_relation(relation) -%}
        {%- do columns.append([column.name, column.dtype, types.get(column.name)]) -%}
    {%- endfor -%}
    {%- for name in file.column_names -%}
        {%- do wanted.append([name, 'string', 'string']) -%}
    {%- endfor -%}
    {%- if columns != wanted %}{{ return(false) }}{% endif -%}
    {%- for row in file.rows -%}
        {%- set values = [] -%}
        {%- for value in row -%}
            {%- do values.append('\x1e' if value is none else value) -%}
        {%- endfor -%}
        {%- do lines.append(values | join('\x1f')) -%}
    {%- endfor -%}
    {%- set line = "array_join(array(*), '\\u001f', '\\u001e')" -%}
    {%- set found = run_query("select md5(array_join(array_sort(collect_list(" ~ line ~ ")), '\\n')) from " ~ relation) -%}
    {{ return(found.rows[0][0] == local_md5(lines | sort(case_sensitive=true) | join('\n'))) }}
{% endmacro %}
