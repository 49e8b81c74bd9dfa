{#
  Returns the source tables of the published events, with fingerprints. A run asks for them once.

  Arguments:
    relations (dict[string, relation]): batch_stats and table_holds.

  Returns: none if nothing is published yet, or a mapping:
    * stats: the published rows of event_batch_stats.
    * last_batch: the highest number of a published landing batch.
    * recent_from: ten minutes before the last of them landed, in microseconds since 1970; none if
      the time is unknown.
    * recent_batches: those that landed since then.
    * holds: the held tables, from get_holds.
    * everything: the fingerprint of all published batches.
    * tables: a list of mappings with path, tables (the columns that name it) and
        content: the fingerprint of its published batches that are not withheld.
        ordering: whether the vendor's sequence orders it, and its number of partitions.
        order_by: that setting of the table.
        is_by_topic: whether tombstones or snapshots delete its rows. They may name no table.
        hold: its entry of holds without late_batches, or none.
        keyless_topics: its topics if none of its changes has a key, else none.
    * by_path: path to those of the list with this path.
    * statements: source and tenant to the fingerprint of the batches with statements, because a
      statement can name several tables.
#}
{% macro get_published_tables(relations) %}
    {%- set stats = kafka_cdc.get_versioned_relation(relations.batch_stats, is_published=true) -%}
    {%- if stats is none -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set memory = kafka_cdc.get_run_memory().setdefault('published_tables', {}) -%}
    {%- set holds = kafka_cdc.get_holds(relations.table_holds, is_published=true) -%}
    {%- set version = stats ~ tojson(holds) -%}
    {%- if version not in memory -%}
        {%- set names = kafka_cdc.get_table_columns() -%}
        {%- set query -%}
            -- one row per table, one per stream, and one for all
            select
                to_json(struct({{ names | join(', ') }})) as table_parts,
                concat(source_name, '/', source_tenant) as stream,
                grouping(source_table) = 0 as is_table,
                grouping(source_name) = 1 as is_everything,
                {{ kafka_cdc.table_path() }} as path,
                sum(changes) filter (where is_shown) as changes,
                {{ kafka_cdc.batches_fingerprint() | indent(16) }} as everything,
                {{ kafka_cdc.batches_fingerprint('is_shown') | indent(16) }} as content,
                {{ kafka_cdc.batches_fingerprint(kafka_cdc.statements_condition()) | indent(16) }} as statements,
                concat_ws(
                    '/',
                    sum(sequenced_changes) filter (where is_shown) > 0,
                    sum(unsequenced_changes) filter (where is_shown) > 0,
                    size(collect_set(struct(kafka_topic, kafka_partition)) filter (where is_shown))
                ) as ordering,
                {{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(16) }} as order_by,
                {{ kafka_cdc.table_setting('on_snapshot', "'upsert'") | indent(16) }} = 'replace'
                or {{ kafka_cdc.table_setting('on_tombstone', "'ignore'") | indent(16) }} = 'delete' as is_by_topic,
                if(
                    sum(changes) filter (where is_shown) <= sum(keyless_changes) filter (where is_shown),
                    to_json(array_sort(collect_set(kafka_topic) filter (where is_shown))),
                    null
                ) as keyless_topics,
                max(landing_batch) as last_batch,
                unix_micros(max(recent_from)) as recent_from,
                array_join(
                    array_sort(collect_set(landing_batch) filter (where landed_at >= recent_from)), ','
                ) as recent_batches
            from (
                select
                    *,
                    changes + truncates > 0 and not {{ kafka_cdc.withheld_condition(holds) | indent(20) }} as is_shown
                from {{ stats }}
            ) as batches
            cross join (select max(landed_at) - interval '10' minute as recent_from from {{ stats }}) as latest
            group by grouping sets (
                ({{ names | join(', ') }}),
                (source_name, source_tenant),
                ()
            )
        {%- endset -%}

        {%- set tables, statements, by_path, everything = [], {}, {}, {} -%}
        {%- for row in run_query(query).rows -%}
            {%- if row.is_everything -%}
                {%- do everything.update(row.dict()) -%}
            {%- elif row.is_table and (row.changes or 0) > 0 -%}
                {%- set parts = fromjson(row.table_parts) -%}
                {%- do tables.append({
                    'path': row.path,
                    'tables': parts,
                    'content': row.content,
                    'ordering': row.ordering,
                    'order_by': row.order_by,
                    'is_by_topic': row.is_by_topic,
                    'keyless_topics': row.keyless_topics,
                    'hold': kafka_cdc._get_hold(holds, parts),
                }) -%}
            {%- elif not row.is_table and row.statements != '0' -%}
                {%- do statements.update({row.stream: row.statements}) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- set tables = tables | sort(
            attribute='path,tables.source_name,tables.source_tenant', case_sensitive=true
        ) | list -%}
        {%- for entry in tables -%}
            {%- do by_path.setdefault(entry.path, []).append(entry) -%}
        {%- endfor -%}
        {%- do memory.update({version: {
            'last_batch': everything.last_batch,
            'recent_from': none if everything.recent_from is none else everything.recent_from | int,
            'recent_batches': everything.recent_batches.split(',') | select | map('int') | list,
            'everything': everything.everything,
            'stats': stats,
            'holds': holds,
            'tables': tables,
            'by_path': by_path,
            'statements': statements,
        }}) -%}
    {%- endif -%}
    {{ return(memory[version]) }}
{% endmacro %}

{#
  Returns the hold of a table without its late batches, or none. A batch that turns out to be late
  changes nothing that the table shows.
#}
{% macro _get_hold(holds, tables) %}
    {%- for hold in holds -%}
        {%- set differences = [] -%}
        {%- for column, name in tables.items() if hold[column] != name -%}
            {%- do differences.append(column) -%}
        {%- endfor -%}
        {%- if not differences -%}
            {{ return(dict(tables, last_published_batch=hold.last_published_batch)) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(none) }}
{% endmacro %}
