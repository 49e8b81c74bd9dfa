{#
  Returns the one published source table of a name. It raises an error if there is none, or several,
  or if it has no key.

  A table whose rows are all erased still exists. Its entry has is_erased, and its content is ''.

  Arguments:
    published (dict[string, any]): from get_published_tables.
    events (relation): the model events.
    table (string): database[.schema].table, or a glob of the shards of one table.
    source (optional[string]): the stream.
    tenant (optional[string]): the tenant.

  Returns: an entry of published.tables, and shards: the entries that it consists of. Of several
    shards it has is_sharded, and source_table has the glob.
#}
{% macro find_published_table(published, events, table, source=none, tenant=none) %}
    {%- set is_sharded = '*' in table or '?' in table -%}
    {%- set named = published.tables if is_sharded else published.by_path.get(table, []) -%}
    {%- set matching = kafka_cdc._select_named_entries(named, table, source, tenant, is_sharded) -%}
    {%- if not matching -%}
        {%- set erased = kafka_cdc._get_erased_tables(events) -%}
        {%- do matching.extend(kafka_cdc._select_named_entries(erased, table, source, tenant, is_sharded)) -%}
    {%- endif -%}
    {%- set streams = [] -%}
    {%- for entry in matching -%}
        {%- do streams.append(tojson([entry.tables.source_name, entry.tables.source_tenant])) -%}
    {%- endfor -%}

    {%- if not matching -%}
        {%- set descriptions = [] -%}
        {%- for entry in published.tables -%}
            {%- do descriptions.append(entry.path ~ ' of source ' ~ entry.tables.source_name) -%}
        {%- endfor -%}
        {%- set sources = published.by_path.get(table, []) | map(attribute='tables.source_name') | unique | list -%}
        {{ kafka_cdc.raise_error(
            'no published table ' ~ table ~ (' of source ' ~ source if source is not none else '') ~ ', for ' ~ this,
            'its source is ' ~ sources | join(' or ') ~ '. If topics renamed it, set it in the model and in tables'
                if sources else 'published are ' ~ (descriptions[:20] | join('; ') or 'no tables')
                ~ ('; and more' if descriptions | length > 20 else '')
                ~ '; see held_tables for tables that are held, and quarantine for rejected messages'
        ) }}
    {%- elif matching | length > 1 and not (is_sharded and streams | reject('equalto', streams[0]) | list == []) -%}
        {%- set tables = matching | map(attribute='tables') | list -%}
        {%- set sources = tables | map(attribute='source_name') | unique(case_sensitive=true) | list -%}
        {%- set tenants = tables | map(attribute='source_tenant') | unique(case_sensitive=true) | list -%}
        {{ kafka_cdc.raise_error(
            'several streams have a table ' ~ table ~ ', for ' ~ this,
            'set source to one of ' ~ sources | join(', ') if sources | length > 1
                else 'set tenant to one of ' ~ tenants | join(', ') if tenants | length > 1
                else kafka_cdc.get_same_path_hint()
        ) }}
    {%- endif -%}

    {%- for entry in matching if entry.keyless_topics is not none -%}
        {{ kafka_cdc.raise_error(
            'the changes of ' ~ entry.path ~ ' of source ' ~ entry.tables.source_name ~ ' have no key, for ' ~ this,
            'add to tables: - {table: ' ~ entry.path ~ ', key: [its key columns]}, then run dbt build --vars '
                ~ "'{replay: " ~ entry.keyless_topics ~ "}'"
        ) }}
    {%- endfor -%}
    {%- if not is_sharded -%}
        {{ return(dict(matching[0], shards=matching)) }}
    {%- endif -%}
    {{ return(kafka_cdc._fold_shards(table, matching, published)) }}
{% endmacro %}

{# Returns the entries that a name or glob, a source and a tenant select. #}
{% macro _select_named_entries(entries, table, source, tenant, is_sharded) %}
    {%- set matching = [] -%}
    {%- for entry in entries -%}
        {%- set is_source = source in [none, entry.tables.source_name] -%}
        {%- set is_named = kafka_cdc.has_glob_match(entry.path, table) if is_sharded else entry.path == table -%}
        {%- if is_named and is_source and tenant in [none, entry.tables.source_tenant] -%}
            {%- do matching.append(entry) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(matching) }}
{% endmacro %}

{# Returns the entries of published tables whose changes are all erased. #}
{% macro _get_erased_tables(events) %}
    {%- set names = kafka_cdc.get_table_columns() | join(', ') -%}
    {%- set query -%}
        select
            {{ kafka_cdc.table_path() }} as path,
            to_json(struct({{ names }})) as table_parts
        from {{ kafka_cdc.published_relation(events) }}
        where {{ kafka_cdc.table_event_condition() }}
        group by {{ names }}
        having count_if(event_kind = 'change') = 0
        order by path, source_name, source_tenant
    {%- endset -%}
    {%- set entries = [] -%}
    {%- for row in run_query(query).rows -%}
        {%- do entries.append({
            'path': row.path,
            'tables': fromjson(row.table_parts),
            'content': '',
            'ordering': '',
            'order_by': 'sequence',
            'is_by_topic': false,
            'keyless_topics': none,
            'hold': none,
            'is_erased': true,
        }) -%}
    {%- endfor -%}
    {{ return(entries) }}
{% endmacro %}

{# Returns the entry of several shards that are one table. #}
{% macro _fold_shards(table, shards, published) %}
    {%- set stream = {
        'path': table,
        'tables': {
            'source_name': shards[0].tables.source_name,
            'source_tenant': shards[0].tables.source_tenant,
            'source_database': '',
            'source_schema': '',
            'source_table': table,
        },
        'shards': shards,
        'is_sharded': true,
        'ordering': shards | map(attribute='ordering') | list,
        'order_by': 'sequence',
        'is_by_topic': shards | selectattr('is_by_topic') | list | length > 0,
        'is_erased': shards | selectattr('is_erased') | list == shards,
        'hold': shards | map(attribute='hold') | select | list or none,
    } -%}
    {%- if shards | selectattr('order_by', 'equalto', 'kafka_timestamp') | list -%}
        {%- do stream.update({'order_by': 'kafka_timestamp'}) -%}
    {%- endif -%}
    {%- set query -%}
        select {{ kafka_cdc.batches_fingerprint() }} as content
        from {{ published.stats }}
        where
            changes + truncates > 0
            and {{ kafka_cdc.stream_condition(stream) }}
            and not {{ kafka_cdc.withheld_condition(published.holds) }}
    {%- endset -%}
    {%- do stream.update({'content': run_query(query).rows[0].content}) -%}
    {{ return(stream) }}
{% endmacro %}
