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
    * merged: the number of rows of merged_rows that contained the rows.
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
        'merged': kafka_cdc._count(ref('merged_rows'), kafka_cdc.erased_rows_condition(rows, has_moves=false)),
    } -%}

    {#- Hashes come first: they make the command repeatable, and keep the rows out of later runs. -#}
    {%- set erased = kafka_cdc.get_erased_rows(events) or kafka_cdc.create_erased_rows(events) -%}
    {%- do kafka_cdc.record_erasure_hashes(erased, kafka_cdc.select_row_hashes(rows)) -%}
    {%- for table in rows if table.row_keys -%}
        {%- set of_table = kafka_cdc.table_condition(table.tables) -%}
        {%- do kafka_cdc.record_erasure_hashes(
            erased,
            kafka_cdc.select_key_hashes(events, of_table, table.row_keys)
        ) -%}
    {%- endfor -%}

    {%- for table in rows -%}
        {%- do kafka_cdc.delete_chain_examples(ref('chain_breaks'), kafka_cdc.table_condition(table.tables)) -%}
    {%- endfor -%}

    {%- set is_published = kafka_cdc.rewrite_erased_messages(
        events,
        erased,
        kafka_cdc.select_message_hashes(events, of_rows, erased)
    ) -%}
    {%- do receipt.update({
        'typed_tables': kafka_cdc.delete_from_typed_tables(rows, erased),
        'is_published': is_published,
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

{# Returns the number of rows that meet a condition, 0 if the table does not exist. #}
{% macro _count(table, condition) %}
    {%- if load_relation(table) is none -%}
        {{ return(0) }}
    {%- endif -%}
    {{ return(run_query('select count(*) from ' ~ table ~ ' where ' ~ condition).columns[0].values()[0]) }}
{% endmacro %}
