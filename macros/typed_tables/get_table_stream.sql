{#
  Returns the one stream of a source table, a mapping: the parts of its name, formats (source_format and source_database_type of its
  changes), key (columns), column_types and database_type (as the setting `tables` says them, else none). Stops dbt where no stream has
  the table, or several have it and source and tenant do not tell which.
  of_rows: whether the rows of the table are asked for by the name; it also stops where on_rename gives rows another name than messages do.
#}
{% macro get_table_stream(table, source=none, tenant=none, of_rows=true) %}
    {%- if of_rows and kafka_cdc.has_table_setting('on_rename', ['apply']) %}{% do kafka_cdc._check_renames(table, source) %}{% endif -%}
    {%- set known = [] -%}
    {%- for row in run_query(kafka_cdc._table_streams(table)).rows -%}
        {%- do known.append({
            'path': row.path, 'tables': fromjson(row.table_parts), 'formats': fromjson(row.formats), 'key': fromjson(row.key_columns or '[]'),
            'column_types': fromjson(row.column_types or 'null'), 'database_type': row.database_type,
        }) -%}
    {%- endfor -%}
    {%- set streams = [] -%}
    {%- for stream in known if stream.path == table and source in [none, stream.tables.source_name] and tenant in [none, stream.tables.source_tenant] -%}
        {%- do streams.append(stream) -%}
    {%- endfor -%}
    {%- set said = [] -%}
    {%- for stream in streams or known -%}
        {%- set of = ' of source ' ~ stream.tables.source_name ~ (', tenant ' ~ stream.tables.source_tenant if stream.tables.source_tenant else '') -%}
        {%- do said.append(stream.path ~ of ~ ' (' ~ stream.formats | map(attribute='source_format') | unique | join(', ') ~ ')') -%}
    {%- endfor -%}
    {%- if not streams -%}
        {{ kafka_cdc.raise_error('no table ' ~ table ~ (' of source ' ~ source if source is not none) ~ ' in the changelog',
                'it has ' ~ (said[:20] | join('; ') or 'no changes') ~ ('; and more' if said | length > 20)) }}
    {%- elif streams | length > 1 -%}
        {{ kafka_cdc.raise_error('several streams have a table ' ~ table ~ ': ' ~ said | join('; '),
                "choose one: --args '{table: " ~ table ~ ', source: ' ~ streams[0].tables.source_name ~ "}'") }}
    {%- endif -%}
    {{ return(streams[0]) }}
{% endmacro %}

{# Prints the query for all streams, those of the table first. #}
{% macro _table_streams(table) %}
    {%- set parts = kafka_cdc.get_table_columns() | join(', ') -%}
    select
        {{ kafka_cdc.table_path() }} as path,
        to_json(struct({{ parts }})) as table_parts,
        to_json(collect_set(struct(source_format, source_database_type))) as formats,
        to_json(max_by(key_columns, struct(topic_incarnation, kafka_offset)) filter (where key_columns is not null)) as key_columns,
        {{ kafka_cdc.table_setting('column_types', 'cast(null as string)') }} as column_types,
        {{ kafka_cdc.table_setting('database_type', 'cast(null as string)') }} as database_type
    from {{ ref('events') }}
    where event_kind = 'change'
    group by {{ parts }}
    order by path <> {{ kafka_cdc.sql_literal(table) }}, path, source_name
{% endmacro %}

{# Stops dbt where a rename that on_rename applies has the table's name: its rows are then said under two names, or the name under two tables. #}
{% macro _check_renames(table, source) %}
    {%- set events, profiles = ref('events'), ref('event_batch_stats') -%}
    {%- if kafka_cdc.get_stream_facts(profiles).renames -%}
        {%- set query -%}
            with {{ kafka_cdc.source_tables_cte(profiles) }},

            {{ kafka_cdc.table_renames_cte(events) }}

            select distinct source_name, {{ kafka_cdc.table_path('rename.old.') }} as old_path, {{ kafka_cdc.table_path('rename.new.') }} as new_path
            from (select source_name, explode(renames) as rename from table_renames) as applied
        {%- endset -%}
        {%- for row in run_query(query).rows if table in [row.old_path, row.new_path] and source in [none, row.source_name] -%}
            {{ kafka_cdc.raise_error('the rename of ' ~ row.old_path ~ ' to ' ~ row.new_path ~ ' of source ' ~ row.source_name ~ ' is applied, so that rows of ' ~ table
                ~ ' have another name in the messages', 'set on_rename: keep for both names, and say the name that the messages say') }}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}
