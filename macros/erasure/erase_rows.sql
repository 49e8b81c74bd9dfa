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
    {%- set events = ref('kafka_cdc', 'events') -%}
    {%- for table in rows if table.row_keys -%}
        {%- do kafka_cdc._check_earlier_keys(table) -%}
    {%- endfor -%}
    {%- set of_rows = kafka_cdc.erased_rows_condition(rows) -%}
    {%- set receipt = {
        'counts': kafka_cdc.count_erased_rows(events, rows),
        'merged': kafka_cdc._count(
            ref('kafka_cdc', 'merged_rows'),
            kafka_cdc.erased_rows_condition(rows, has_moves=false)
        ),
    } -%}

    {#- Hashes come first: they make the command repeatable, and keep the rows out of later runs. -#}
    {%- set erased = kafka_cdc.get_erased_rows(events) or kafka_cdc.create_erased_rows(events) -%}
    {%- do kafka_cdc.record_erasure_hashes(erased, kafka_cdc.select_row_hashes(rows)) -%}
    {%- for table in rows if table.row_keys -%}
        {%- set of_table = kafka_cdc.table_condition(table.tables) -%}
        {%- do kafka_cdc.record_erasure_hashes(
            erased,
            kafka_cdc._select_key_hashes(events, of_table, table.row_keys)
        ) -%}
    {%- endfor -%}

    {%- for table in rows -%}
        {%- do kafka_cdc._delete_chain_examples(
            ref('kafka_cdc', 'chain_breaks'),
            kafka_cdc.table_condition(table.tables)
        ) -%}
    {%- endfor -%}

    {%- set is_published = kafka_cdc.rewrite_erased_messages(
        events,
        erased,
        kafka_cdc._select_message_hashes(events, of_rows, erased)
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
    {%- if kafka_cdc.get_stream_facts(ref('kafka_cdc', 'event_batch_stats')).before_events -%}
        {%- set changes = kafka_cdc.select_split_key_changes(
            ref('kafka_cdc', 'events'),
            kafka_cdc.table_condition(table.tables)
        ) -%}
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

{#
  Removes the examples of a source table from chain_breaks, because they contain values of rows.

  The findings stay.

  Arguments:
    chain_breaks (relation): the model chain_breaks.
    of_table (string): SQL of the condition that selects the table.
#}
{% macro _delete_chain_examples(chain_breaks, of_table) %}
    {%- if load_relation(chain_breaks) is not none -%}
        {%- set columns = ['example_row_key', 'example_before', 'example_state'] -%}
        {%- do run_query(
            'update ' ~ chain_breaks ~ ' set ' ~ columns | join(' = null, ') ~ ' = null where ' ~ of_table
                ~ ' and example_row_key is not null'
        ) -%}
    {%- endif -%}
{% endmacro %}

{#
  Prints a SELECT: the hashes of the messages to rewrite, as row_hash.

  * Messages with an event that meets the condition.
  * Messages with an event that was redacted when it was read, such as a late duplicate.
  * Tombstones whose Kafka key is in the table erased_rows.

  A payload that claims to be rewritten is trusted only if its message is in the table erased_rows.

  Arguments:
    events (relation): the model events.
    condition (string): SQL of the condition for events of the row.
    erased (relation): the table erased_rows.
#}
{% macro _select_message_hashes(events, condition, erased) -%}
select {{ kafka_cdc.message_hash() }} as row_hash
from {{ events }}
where {{ condition }} or event_kind <> 'rejected' and endswith(operation_code, 'erased')
union
select {{ kafka_cdc.message_hash() }} as row_hash
from (
    select
        event.*,
        explode(array(
            {{ kafka_cdc.key_hash('landed.topic', 'landed.key') }},
            {{ kafka_cdc.key_hash('landed.topic', 'event.row_key') }}
        )) as row_hash
    from {{ events }} as event
    inner join {{ kafka_cdc.get_raw_relation() }} as landed
        on {{ kafka_cdc.same_message_condition('landed', 'event') }}
    where event.event_kind = 'tombstone'
) as tombstones
left semi join {{ erased }} as erased using (row_hash)
{%- endmacro %}

{#
  Prints a SELECT: the hashes of the Kafka keys of rows of one table, as row_hash.

  * The row_key in each topic of the table, because a tombstone that deletes a row names it so.
  * The Kafka keys of messages that contain only one of these rows.

  It must run before the payloads are rewritten, because rewritten messages have no key.

  Arguments:
    events (relation): the model events.
    condition (string): SQL of the condition for events of the table.
    row_keys (list[string]): the keys of the rows.
#}
{% macro _select_key_hashes(events, condition, row_keys) -%}
{%- set identity = kafka_cdc.get_message_coordinates() | join(', ') -%}
{%- set of_row = condition ~ ' and ' ~ kafka_cdc.in_values_condition('row_key', row_keys) -%}
select {{ kafka_cdc.key_hash('kafka_topic', 'row_key') }} as row_hash
from (
    select distinct kafka_topic
    from {{ events }}
    where {{ condition }}
) as topics
lateral view explode({{ kafka_cdc.sql_literal(row_keys) }}) keys as row_key
union
select {{ kafka_cdc.key_hash('landed.topic', 'landed.key') }} as row_hash
from (
    select {{ identity }}
    from {{ kafka_cdc._events_of_messages(events, of_row) | indent(4) }} as message_events
    group by {{ identity }}
    having count(*) = 1
) as event
inner join {{ kafka_cdc.get_raw_relation() }} as landed
    on {{ kafka_cdc.same_message_condition('landed', 'event') }}
where landed.key is not null
{%- endmacro %}

{#
  Prints a relation: all events of the messages that have an event that meets a condition.

  Arguments:
    events (relation): the model events.
    condition (string): SQL of the condition.
#}
{% macro _events_of_messages(events, condition) -%}
(
            select *
            from {{ events }}
            left semi join (select * from {{ events }} where {{ condition }}) as matching
                using ({{ kafka_cdc.get_message_coordinates() | join(', ') }})
        )
{%- endmacro %}
