{#
  Erases one row permanently from raw, events, history, state and typed tables, and from the files on disk.

  In raw the payloads are rewritten. Coordinates and other rows of a message stay. The row's
  tombstones lose their keys. Hashes in the table erased_rows prevent a replay or a duplicate from
  restoring the row.

  The command is safe to repeat. Repeated for any row, it also erases what has landed again of all
  erased rows. Concurrent runs may fail with a write conflict, which they report.

  Not covered are messages in quarantine, DDL text, and the row's earlier keys. If an update in two
  messages changed the key, the earlier key must be erased first. Otherwise the before event would
  remain alone, and the earlier row with it. Then the command stops.

  Example: dbt run-operation erase_row --args '{table: inventory.customers, key: {id: 1001}}'

  Arguments:
    table (string): database[.schema].table.
    key (dict[string, any]): the row's key, column to value.
    source (optional[string]): the stream, if several have such a table.
    tenant (optional[string]): the tenant, if several have such a table.

  Prints: nothing. The log has the number of messages that contained the row.
#}
{% macro erase_row(table, key, source=none, tenant=none) %}
    {%- set row_key = kafka_cdc.get_row_key(table, key) -%}

    {%- if execute and kafka_cdc.get_raw_column_mapping() -%}
        {{ kafka_cdc.raise_error(
            'the raw table belongs to another tool (setting raw_column_mapping), which alone can erase a row from it',
            'in that table set key and value of the messages to null and keep their coordinates, '
                ~ 'replay the topics, then run maintain_tables with keep_days 0'
        ) }}
    {%- endif -%}

    {%- if execute -%}
        {%- set events = ref('events') -%}
        {%- set table_parts = kafka_cdc.get_table_stream(table, source, tenant).tables -%}
        {%- set of_table = kafka_cdc.table_condition(table_parts) -%}
        {%- do kafka_cdc._check_earlier_keys(table, row_key, of_table) -%}

        {#- Hashes come first: they make the command repeatable, and keep the row out of later runs. -#}
        {%- set erased = kafka_cdc.get_erased_rows(events) or kafka_cdc._create_erased_rows(events) -%}
        {%- do kafka_cdc.record_erasure_hashes(erased, kafka_cdc._select_row_hash(table_parts, row_key)) -%}
        {%- do kafka_cdc.record_erasure_hashes(erased, kafka_cdc.select_key_hashes(events, of_table, row_key)) -%}

        {%- set of_row = of_table ~ ' and ' ~ row_key ~ ' in (row_key, previous_row_key)' -%}
        {%- set messages = kafka_cdc._count_messages(events, of_row) -%}
        {%- set published = kafka_cdc.get_published_version(events) -%}
        {%- set was_published = kafka_cdc.get_equivalent_version(events, published) is not none -%}

        {%- do kafka_cdc.record_erasure_hashes(erased, kafka_cdc.select_message_hashes(events, of_row, erased)) -%}
        {%- do run_query(kafka_cdc.rewrite_payloads(events, erased)) -%}
        {%- do run_query(kafka_cdc.rewrite_events(events, erased)) -%}

        {%- do kafka_cdc.delete_chain_examples(ref('chain_breaks'), of_table) -%}

        {#- If the version before was published, so is the rewritten one: only the row is missing. -#}
        {%- set publishes = was_published and kafka_cdc.publish_version(events, published, rewrites=1) is not none -%}
        {%- set holds = kafka_cdc.get_holds_until_release(ref('table_holds')) -%}
        {%- do kafka_cdc.recompact(events, ref('compacted_events'), holds, publishes) -%}
        {%- do kafka_cdc._delete_from_typed_tables(table_parts, row_key) -%}
        {%- do kafka_cdc.maintain_tables(keep_days=0) -%}

        {%- set remaining = '; the published version still contains it: run dbt build, then this command again' -%}
        {{ log(
            table ~ ' of source ' ~ table_parts.source_name ~ ': ' ~ messages ~ ' messages no longer contain the row'
                ~ ('' if publishes else remaining),
            info=true
        ) }}
    {%- endif -%}
{% endmacro %}

{#
  Raises an error if updates in two messages changed the key to this one, before anything is erased.
  The error names the earlier keys. row_key and of_table are SQL.
#}
{% macro _check_earlier_keys(table, row_key, of_table) %}
    {%- set facts = kafka_cdc.get_stream_facts(ref('event_batch_stats')) -%}
    {%- if facts.before_events -%}
        {#- The view split_updates lacks those of held tables. -#}
        {%- set batch_stats = kafka_cdc.published_relation(ref('event_batch_stats')) -%}
        {%- set query -%}
            select distinct before_key
            from ({{ kafka_cdc.select_split_updates(ref('events'), batch_stats, facts, holds=[]) }}) as split_updates
            where is_paired and before_key <> after_key and after_key = {{ row_key }} and {{ of_table }}
        {%- endset -%}

        {%- set keys = run_query(query) -%}
        {%- if keys.rows -%}
            {{ kafka_cdc.raise_error(
                'the row of ' ~ table ~ ' had another key before: ' ~ keys.columns[0].values() | join(', '),
                'erase the row of that key first, then this one'
            ) }}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}

{# Creates the table erased_rows next to events, and returns it. #}
{% macro _create_erased_rows(events) %}
    {%- set erased = events.incorporate(path={'identifier': 'erased_rows'}) -%}
    {%- set statement -%}
        create table if not exists {{ erased }} (row_hash string, erased_at timestamp)
        using {{ kafka_cdc.get_table_format() }}
    {%- endset -%}
    {%- do run_query(statement) -%}
    {{ return(erased) }}
{% endmacro %}

{# Deletes the row from the typed tables of its source table. row_key is SQL. #}
{% macro _delete_from_typed_tables(table_parts, row_key) %}
    {%- for typed_table in kafka_cdc.get_typed_tables() -%}
        {#- A table that does not say what it was built from is written again by the next build. -#}
        {%- set built_from = kafka_cdc.get_built_from(typed_table) -%}
        {%- if table_parts in built_from.get('shards', [built_from.get('tables', table_parts)]) -%}
            {%- set shard = {} -%}
            {%- for name in kafka_cdc.get_shard_columns({'is_sharded': built_from.is_sharded}) -%}
                {%- do shard.update({name: table_parts[name]}) -%}
            {%- endfor -%}
            {#- Not DELETE: Delta's log would keep its condition, which contains the key. -#}
            {%- set statement -%}
                merge into {{ typed_table }} as target
                using (select {{ row_key }} as row_key) as erased
                on
                    target.row_key = erased.row_key
                    {%- for name, value in shard.items() %}
                    and target.{{ name }} = {{ kafka_cdc.sql_literal(value) }}
                    {%- endfor %}
                when matched then delete
            {%- endset -%}
            {%- do run_query(statement) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}

{# Prints a SELECT: the hash of the row. #}
{% macro _select_row_hash(table_parts, row_key) -%}
    select {{ kafka_cdc.row_hash(row_key) }} as row_hash
    from (
        select
            {%- for column in kafka_cdc.get_table_columns() %}
            {{ kafka_cdc.sql_literal(table_parts[column]) }} as {{ column }}{{ ',' if not loop.last }}
            {%- endfor %}
    ) as table_parts
{%- endmacro %}

{# Returns the number of messages with an event that meets a condition. #}
{% macro _count_messages(events, condition) %}
    {%- set identity = kafka_cdc.get_message_coordinates() | join(', ') -%}
    {%- set query = 'select count(distinct ' ~ identity ~ ') from ' ~ events ~ ' where ' ~ condition -%}
    {{ return(run_query(query).columns[0].values()[0]) }}
{% endmacro %}
