{#
  The materialization of the project's seeds: dbt's, but it keeps a table that already holds the rows of the file.

  dbt drops and recreates a seed in each run. For two seconds no other run finds the table. Its rows are
  compared once per version of the table.
  A project that installs this package keeps dbt's own materialization. --full-refresh reloads the seed.
#}
{% materialization seed, adapter='spark' %}
    {%- set file = load_agate_table() -%}
    {%- if should_full_refresh() or not kafka_cdc._has_rows(this, file, config.get('column_types', {})) -%}
        {{ return(materialization_seed_default()) }}
    {%- endif -%}
    {%- do kafka_cdc.get_run_memory().setdefault('unchanged_seeds', []).append(this | string) -%}
    {%- do store_result('agate_table', response='OK', agate_table=file) -%}
    {{ return(kafka_cdc.skip_materialization(this, 'unchanged')) }}
{% endmaterialization %}

{# Returns whether a table has exactly the columns and rows of a file. types: column -> type, as the project sets it. #}
{% macro _has_rows(relation, file, types) %}
    {%- if load_relation(relation) is none -%}
        {{ return(false) }}
    {%- endif -%}

    {%- set columns, file_columns, lines = [], [], [] -%}
    {%- for column in adapter.get_columns_in_relation(relation) -%}
        {%- do columns.append([column.name, column.dtype, types.get(column.name)]) -%}
    {%- endfor -%}
    {%- for name in file.column_names -%}
        {%- do file_columns.append([name, 'string', 'string']) -%}
    {%- endfor -%}
    {%- if columns != file_columns -%}
        {{ return(false) }}
    {%- endif -%}

    {%- for row in file.rows -%}
        {%- set values = [] -%}
        {%- for value in row -%}
            {%- do values.append('\x1e' if value is none else value) -%}
        {%- endfor -%}
        {%- do lines.append(values | join('\x1f')) -%}
    {%- endfor -%}
    {%- set file_hash = local_md5(lines | sort(case_sensitive=true) | join('\n')) -%}
    {%- set fingerprint = kafka_cdc.get_query_fingerprint(file_hash, [model.unique_id]) -%}
    {%- if not kafka_cdc.is_recorded_fingerprint(model.name, fingerprint) -%}
        {%- set line = "array_join(array(*), '\\u001f', '\\u001e')" -%}
        {%- set rows = "array_join(array_sort(collect_list(" ~ line ~ ")), '\\n')" -%}
        {%- if run_query('select md5(' ~ rows ~ ') from ' ~ relation).rows[0][0] != file_hash -%}
            {{ return(false) }}
        {%- endif -%}
        {%- do kafka_cdc.record_fingerprint(model.name, fingerprint) -%}
    {%- endif -%}
    {{ return(true) }}
{% endmacro %}
