{#
  Removes one row's data for good: from raw (the payloads are rewritten; coordinates and the other rows of a message stay), events, history
  and state, and from the files on disk; a duplicate or a replay does not bring it back (a list of hashes, erased_rows). Its tombstones lose
  their keys.
  For run-operation: dbt run-operation erase_row --args '{table: inventory.customers, key: {id: 1001}}'. Said again, for any row,
  it removes what was landed again of all erased rows. What runs beside it may fail, and says so.
  Stops where the row came from another key by an update in two messages: that half would stand alone, and the old row with it.
  table, key, source, tenant: as for explain_row. Not found by it: messages in quarantine, statements, the row under keys that it had before.
#}
{% macro erase_row(table, key, source=none, tenant=none) %}
    {%- set row_key = kafka_cdc.get_row_key(table, key) -%}
    {%- if execute and kafka_cdc.get_raw_column_mapping() -%}
        {{ kafka_cdc.raise_error('another tool writes the raw table (setting raw_column_mapping), so that only it can take a row out of there', 'empty key and value of its messages there, keep their coordinates, replay the topics, then maintain_tables with keep_days 0') }}
    {%- endif -%}
    {%- if execute -%}
        {%- set parts, events = kafka_cdc.get_table_stream(table, source, tenant).tables, ref('events') -%}
        {%- do kafka_cdc._check_keys_before(table, row_key, kafka_cdc.table_condition(parts)) -%}
        {%- set held = [] -%}
        {%- for column in kafka_cdc.get_table_columns() %}{% do held.append(kafka_cdc.sql_literal(parts[column]) | trim ~ ' as ' ~ column) %}{% endfor -%}
        {%- set list = events.incorporate(path={'identifier': 'erased_rows'}) -%}
        {%- do run_query('create table if not exists ' ~ list ~ ' (row_hash string, erased_at timestamp) using ' ~ kafka_cdc.get_table_format()) -%}
        {%- do kafka_cdc.record_erasure_hashes(list, 'select ' ~ kafka_cdc.row_hash(row_key) ~ ' as row_hash from (select ' ~ held | join(', ') ~ ')') -%}
        {%- do kafka_cdc.record_erasure_hashes(list, kafka_cdc.select_key_hashes(events, kafka_cdc.table_condition(parts), row_key)) -%}
        {%- set condition = kafka_cdc.table_condition(parts) ~ ' and ' ~ row_key ~ ' in (row_key, previous_row_key)' -%}
        {%- set messages = run_query('select count(distinct ' ~ kafka_cdc.get_message_coordinates() | join(', ') ~ ') from ' ~ events ~ ' where ' ~ condition).columns[0].values()[0] -%}
        {%- set published = kafka_cdc.get_published_version(events) -%}
        {%- set was_published = kafka_cdc.get_equivalent_version(events, published) is not none -%}
        {%- do kafka_cdc.record_erasure_hashes(list, kafka_cdc.select_message_hashes(events, condition, list)) -%}
        {%- do run_query(kafka_cdc.rewrite_payloads(events, list)) -%}
        {%- do run_query(kafka_cdc.rewrite_events(events, list)) -%}
        {%- set was_published = was_published and kafka_cdc.publish_version(events, published, rewrites=1) is not none -%}
        {%- do kafka_cdc.recompact(events, ref('compacted_events'), was_published) -%}
        {%- do kafka_cdc.maintain_tables(keep_days=0) -%}
        {{ log(table ~ ' of source ' ~ parts.source_name ~ ': ' ~ messages ~ ' messages no longer say the row' ~ ('' if was_published
            else '; what is published still does: once a dbt build has passed its tests, run this again'), info=true) }}
    {%- endif -%}
{% endmacro %}

{# Stops dbt with the keys from which a row moved by updates in two messages, before anything is erased. row_key, condition: SQL, of the row and its table. #}
{% macro _check_keys_before(table, row_key, condition) %}
    {%- if kafka_cdc.get_stream_facts(ref('event_batch_stats')).before_events -%}
        {%- set keys = run_query('select distinct before_key from ' ~ ref('split_updates') ~ ' where is_paired and before_key <> after_key and after_key = ' ~ row_key ~ ' and ' ~ condition) -%}
        {%- if keys.rows -%}
            {{ kafka_cdc.raise_error('the row of ' ~ table ~ ' had another key before: ' ~ keys.columns[0].values() | join(', '), 'forget the row of that key first, then this one') }}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
