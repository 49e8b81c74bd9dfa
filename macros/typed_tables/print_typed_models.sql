{#
  Prints what the command `kafka-cdc typed-models` writes: the published tables that match globs, as JSON.

  Each table has path, source, tenant, is_keyless, key, columns and history_columns. Each column has
  name, type and description.

  Arguments:
    tables (list[string]): globs of database[.schema].table.
    exclude (list[string]): globs of tables to leave out.
    source (optional[string]): only this stream.
#}
{% macro print_typed_models(tables, exclude=[], source=none) %}
    {%- set relations = {
        'events': ref('kafka_cdc', 'events'),
        'batch_stats': ref('kafka_cdc', 'event_batch_stats'),
        'table_holds': ref('kafka_cdc', 'table_holds'),
        'source_types': ref('kafka_cdc', 'source_types'),
    } -%}
    {%- if execute -%}
        {%- set published = kafka_cdc.get_published_tables(relations) -%}
        {%- set wanted = [] -%}
        {%- for stream in (published or {'tables': []}).tables -%}
            {%- if kafka_cdc._has_any_glob_match(stream.path, tables)
                    and not kafka_cdc._has_any_glob_match(stream.path, exclude)
                    and source in [none, stream.tables.source_name] -%}
                {%- do wanted.append(dict(stream, shards=[stream])) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- set found = [] -%}
        {%- for stream in wanted -%}
            {%- set profile = kafka_cdc.get_table_profile(relations.events, stream, published, together=wanted) -%}
            {%- set columns = {} -%}
            {%- for rows in ['hard', 'versions'] -%}
                {%- set request = {'rows': rows, 'has_coordinates': rows == 'versions'} -%}
                {%- set names = kafka_cdc.get_added_columns(request) -%}
                {%- do columns.update({rows: []}) -%}
                {%- for column in kafka_cdc.get_profile_columns(stream, profile, names) -%}
                    {%- do columns[rows].append({
                        'name': column.typed_name,
                        'type': column.spark_type,
                        'description': kafka_cdc.get_column_description(column),
                    }) -%}
                {%- endfor -%}
            {%- endfor -%}
            {%- do found.append({
                'path': stream.path,
                'source': stream.tables.source_name,
                'tenant': stream.tables.source_tenant,
                'is_keyless': stream.keyless_topics is not none,
                'key': profile.key,
                'columns': columns.hard,
                'history_columns': columns.versions,
            }) -%}
        {%- endfor -%}
        {{ print(tojson(found)) }}
    {%- endif -%}
{% endmacro %}

{# Returns whether a text matches one of several globs. #}
{% macro _has_any_glob_match(text, globs) %}
    {%- for glob in globs if kafka_cdc.has_glob_match(text, glob) -%}
        {{ return(true) }}
    {%- endfor -%}
    {{ return(false) }}
{% endmacro %}
