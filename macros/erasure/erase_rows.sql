{#
  Erases rows of one or several tables in one pass, and returns what was erased and where.

  It changes nothing before all its checks have passed.

  Arguments:
    rows (list[dict[string, any]]): tables with their rows. Each has `name`, the name of the table in
      messages, `tables`, the columns of get_table_columns with their values, and `row_keys`, a list
      of texts. The first one has row_keys. Tables without row_keys are those in which an
      interrupted command may have left rows.

  Returns: a dictionary:
    * counts: what count_erased_rows returns.
    * compacted: the number of rows of compacted_events that contained the rows.
    * typed_tables: a list of names and numbers of deleted rows.
    * is_published: whether the published version no longer contains the rows.
#}
{% macro erase_rows(rows) %}
    {%- set events = ref('events') -%}
    {%- for table in rows if table.row_keys -%}
        {%- do kafka_cdc._check_earlier_keys(table) -%}
    {%- endfor -%}
    {%- set of_rows = kafka_cdc.erased_rows_condition(rows) -%}
    {%- set receipt = {
        'counts': kafka_cdc.count_erased_rows(events, rows),
        'compacted': kafka_cdc._count(ref('compacted_events'), of_rows),
    } -%}

    {#- Hashes come first: they make the command repeatable, and keep the rows out of later runs. -#}
    {%- set erased = kafka_cdc.get_erased_rows(events) or kafka_cdc._create_erased_rows(events) -%}
    {%- do kafka_cdc.record_erasure_hashes(erased, kafka_cdc.select_row_hashes(rows)) -%}
    {%- for table in rows if table.row_keys -%}
        {%- set of_table = kafka_cdc.table_condition(table.tables) -%}
        {%- do kafka_cdc.record_erasure_hashes(
            erased,
            kafka_cdc.select_key_hashes(events, of_table, table.row_keys)
        ) -%}
    {%- endfor -%}

    {%- set published = kafka_cdc.get_published_version(events) -%}
    {%- set was_published = kafka_cdc.get_equivalent_version(events, published) is not none -%}

    {%- do kafka_cdc.record_erasure_hashes(erased, kafka_cdc.select_message_hashes(events, of_rows, erased)) -%}
    {%- do run_query(kafka_cdc.rewrite_payloads(events, erased)) -%}
    {%- do run_query(kafka_cdc.rewrite_events(events, erased)) -%}

    {%- for table in rows -%}
        {%- do kafka_cdc.delete_chain_examples(ref('chain_breaks'), kafka_cdc.table_condition(table.tables)) -%}
    {%- endfor -%}

    {#- If the version before was published, so is the rewritten one: only the rows are missing. -#}
    {%- set publishes = was_published and kafka_cdc.publish_version(events, published, rewrites=1) is not none -%}
    {%- set holds = kafka_cdc.get_holds_until_release(ref('table_holds')) -%}
    {%- do kafka_cdc.recompact(events, ref('compacted_events'), holds, publishes) -%}
    {%- do receipt.update({
        'typed_tables': kafka_cdc.delete_from_typed_tables(rows, erased),
        'is_published': publishes,
    }) -%}
    {%- do kafka_cdc.maintain_tables(keep_days=0) -%}
    {{ return(receipt) }}
{% endmacro %}

{#
  Raises an error if updates in two messages changed other keys to keys of a table, before anything
  is erased. The error names the earlier keys.
#}
{% macro _check_earlier_keys(table) %}
    {%- if kafka_cdc.get_stream_facts(ref('event_batch_stats')).before_events -%}
        {%- set changes = kafka_cdc.select_split_key_changes(ref('events'), kafka_cdc.table_condition(table.tables)) -%}
        {%- set query -%}
            select distinct before_key
            from ({{ changes }}) as key_changes
            where
                {{ kafka_cdc.in_values_condition('after_key', table.row_keys) }}
                and not {{ kafka_cdc.in_values_condition('before_key', table.row_keys) }}
        {%- endset -%}

        {%- set keys = run_query(query) -%}
        {%- if keys.rows -%}
            {{ kafka_cdc.raise_error(
                'the row of ' ~ table.name ~ ' had another key before: ' ~ keys.columns[0].values() | join(', '),
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

{# Returns the number of rows that meet a condition, 0 if the table does not exist. #}
{% macro _count(table, condition) %}
    {%- if load_relation(table) is none -%}
        {{ return(0) }}
    {%- endif -%}
    {{ return(run_query('select count(*) from ' ~ table ~ ' where ' ~ condition).columns[0].values()[0]) }}
{% endmacro %}
