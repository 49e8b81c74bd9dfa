{#
  Returns the one stream that has a source table.

  It raises an error if no stream has the table, or if source and tenant do not select one.

  Arguments:
    table (string): database[.schema].table.
    source (optional[string]): the name of the stream.
    tenant (optional[string]): the tenant.
    of_rows (boolean): whether the name stands for the table's rows. Then an applied rename of the
      table is an error, because its rows and its messages have different names.

  Returns: a dictionary:
    * path: the table's name.
    * tables: the columns of get_table_columns and their values.
    * formats: source_format and source_database_type of the changes.
    * key: the key columns.
    * column_types, database_type: from the setting `tables`, else none.
#}
{% macro get_table_stream(table, source=none, tenant=none, of_rows=true) %}
    {%- do kafka_cdc.check_events() -%}
    {%- if of_rows and kafka_cdc.has_table_setting('on_rename', ['apply']) -%}
        {%- do kafka_cdc.check_applied_renames(table, source) -%}
    {%- endif -%}

    {%- set streams = [] -%}
    {%- set matching = [] -%}
    {%- for row in run_query(kafka_cdc._select_table_streams(table)).rows -%}
        {%- set stream = {
            'path': row.path,
            'tables': fromjson(row.table_parts),
            'formats': fromjson(row.formats),
            'key': fromjson(row.key_columns or '[]'),
            'column_types': fromjson(row.column_types or 'null'),
            'database_type': row.database_type,
        } -%}
        {%- do streams.append(stream) -%}
        {%- set is_source = source in [none, stream.tables.source_name] -%}
        {%- set is_tenant = tenant in [none, stream.tables.source_tenant] -%}
        {%- if stream.path == table and is_source and is_tenant -%}
            {%- do matching.append(stream) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- set descriptions = [] -%}
    {%- for stream in matching or streams -%}
        {%- set parts = stream.tables -%}
        {%- set tenant_text = ', tenant ' ~ parts.source_tenant if parts.source_tenant else '' -%}
        {%- set formats = stream.formats | map(attribute='source_format') | unique | join(', ') -%}
        {%- do descriptions.append(
            stream.path ~ ' of source ' ~ parts.source_name ~ tenant_text ~ ' (' ~ formats ~ ')'
        ) -%}
    {%- endfor -%}

    {%- if not matching -%}
        {%- set of_source = ' of source ' ~ source if source is not none else '' -%}
        {{ kafka_cdc.raise_error(
            'no table ' ~ table ~ of_source ~ ' in the changelog',
            'it has ' ~ (descriptions[:20] | join('; ') or 'no changes')
                ~ ('; and more' if descriptions | length > 20 else '')
        ) }}
    {%- elif matching | length > 1 -%}
        {%- set tables = matching | map(attribute='tables') | list -%}
        {%- set tenants = tables | map(attribute='source_tenant') | unique(case_sensitive=true) | list -%}
        {%- set choice = 'table: ' ~ table ~ ', source: ' ~ tables[0].source_name -%}
        {%- if tables | map(attribute='source_name') | unique(case_sensitive=true) | list | length == 1 -%}
            {%- set choice = choice ~ ', tenant: ' ~ (tenants | select | first) if tenants | length > 1 else none -%}
        {%- endif -%}
        {{ kafka_cdc.raise_error(
            'several streams have a table ' ~ table ~ ': ' ~ descriptions | join('; '),
            kafka_cdc.get_same_path_hint() if choice is none else "choose one: --args '{" ~ choice ~ "}'"
        ) }}
    {%- endif -%}

    {{ return(matching[0]) }}
{% endmacro %}

{# Prints a SELECT: all streams and their tables, those with the table first. #}
{% macro _select_table_streams(table) %}
    {%- set parts = kafka_cdc.get_table_columns() | join(', ') -%}
    select
        {{ kafka_cdc.table_path() }} as path,
        to_json(struct({{ parts }})) as table_parts,
        to_json(collect_set(struct(source_format, source_database_type))) as formats,
        to_json(
            max_by(key_columns, {{ kafka_cdc.profile_position() | indent(12) }}) filter (where key_columns is not null)
        ) as key_columns,
        {{ kafka_cdc.table_setting('column_types', 'cast(null as string)') }} as column_types,
        {{ kafka_cdc.table_setting('database_type', 'cast(null as string)') }} as database_type
    from {{ ref('kafka_cdc', 'events') }}
    where {{ kafka_cdc.table_event_condition() }}
    group by {{ parts }}
    order by path <> {{ kafka_cdc.sql_literal(table) }}, path, source_name
{% endmacro %}
