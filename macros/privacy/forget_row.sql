{#
  Removes one row's data for good: from raw (the payloads are rewritten; coordinates and the other rows of a message stay), events, history
  and state, and from the files on disk; a duplicate or a replay does not bring it back (a list of hashes, forgotten_rows). Its tombstones lose
  their keys.
  For run-operation: dbt run-operation forget_row --args '{table: inventory.customers, key: {id: 1001}}'. Said again, for any row,
  it removes what was landed again of all forgotten rows. What runs beside it may fail, and says so.
  Stops where the row came from another key by an update in two messages: that half would stand alone, and the old row with it.
  table, key, source, tenant: as for explain_row. Not found by it: messages in quarantine, statements, the row under keys that it had before.
#}
{% macro forget_row(table, key, source=none, tenant=none) %}
    {%- set row_key = row_key_of(table, key) -%}
    {%- if execute and get_raw_columns() -%}
        {{ fail('another tool writes the raw table (setting raw_columns), so that only it can take a row out of there', 'empty key and value of its messages there, keep their coordinates, replay the topics, then maintain_tables with keep_days 0') }}
    {%- endif -%}
    {%- if execute -%}
        {%- set parts, events = get_table_stream(table, source, tenant).tables, ref('events') -%}
        {%- do _check_keys_before(table, row_key, is_in_table(parts)) -%}
        {%- set held = [] -%}
        {%- for column in get_table_columns() %}{% do held.append(sql_text(parts[column]) | trim ~ ' as ' ~ column) %}{% endfor -%}
        {%- set list = events.incorporate(path={'identifier': 'forgotten_rows'}) -%}
        {%- do run_query('create table if not exists ' ~ list ~ ' (row_hash string, forgotten_at timestamp) using ' ~ get_table_format()) -%}
        {%- do remember_hashes(list, 'select ' ~ row_hash(row_key) ~ ' as row_hash from (select ' ~ held | join(', ') ~ ')') -%}
        {%- do remember_hashes(list, hashes_of_keys(events, is_in_table(parts), row_key)) -%}
        {%- set condition = is_in_table(parts) ~ ' and ' ~ row_key ~ ' in (row_key, previous_row_key)' -%}
        {%- set messages = run_query('select count(distinct ' ~ get_message_coordinates() | join(', ') ~ ') from ' ~ events ~ ' where ' ~ condition).columns[0].values()[0] -%}
        {%- set published = get_published_snapshot(events) -%}
        {%- set was_published = get_snapshot_alike(events, published) is not none -%}
        {%- do remember_hashes(list, hashes_of_messages(events, condition, list)) -%}
        {%- do run_query(rewrite_payloads(events, list)) -%}
        {%- do run_query(rewrite_events(events, list)) -%}
        {%- set was_published = was_published and publish(events, published, rewrites=1) is not none -%}
        {%- do merge_again(events, ref('base_events'), was_published) -%}
        {%- do maintain_tables(keep_days=0) -%}
        {{ log(table ~ ' of source ' ~ parts.source_name ~ ': ' ~ messages ~ ' messages no longer say the row' ~ ('' if was_published
            else '; what is published still does: once a dbt build has passed its tests, run this again'), info=true) }}
    {%- endif -%}
{% endmacro %}

{# Stops dbt with the keys from which a row moved by updates in two messages, before anything is forgotten. row_key, condition: SQL, of the row and its table. #}
{% macro _check_keys_before(table, row_key, condition) %}
    {%- if get_stream_facts(ref('stream_profiles')).before_halves -%}
        {%- set keys = run_query('select distinct before_key from ' ~ ref('split_updates') ~ ' where is_paired and before_key <> after_key and after_key = ' ~ row_key ~ ' and ' ~ condition) -%}
        {%- if keys.rows -%}
            {{ fail('the row of ' ~ table ~ ' had another key before: ' ~ keys.columns[0].values() | join(', '), 'forget the row of that key first, then this one') }}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
