{#
  Erases a person: a row, its earlier and later keys, and all rows that reference it, in one pass.

  `references` in the setting `tables` declares which tables reference which, also of other sources.
  The command erases the rows as erase_row does, and is safe to repeat. It changes nothing if an
  input is wrong.

  If a key was used by two persons, the rows of both are found. Look at them by dry_run first.

  Example: dbt run-operation erase_data_subject --args '{table: inventory.customers, key: {id: 1001}}'

  Arguments:
    table (string): database[.schema].table of the person's row.
    key (dict[string, any]): the row's key, column to value.
    source (optional[string]): the stream, if several have such a table.
    tenant (optional[string]): the tenant, if several have such a table.
    dry_run (boolean): whether to print only what would be erased.

  Prints: nothing. The log has a receipt: the tables, the keys of their rows, and where these were erased.
    It also has the messages in quarantine that contain a key, and what the command does not reach. A
    warning names the typed tables without a model, because they keep the rows.
    Keys with a mask are hashes.
#}
{% macro erase_data_subject(table=none, key=none, source=none, tenant=none, dry_run=false) %}
    {%- do kafka_cdc.check_arguments(
        operation='erase_data_subject',
        arguments={
            'table': table,
            'key': key,
            'source': source,
            'tenant': tenant,
            'dry_run': dry_run,
        },
        unknown=kwargs,
        required=['table', 'key'],
        example='{table: inventory.customers, key: {id: 1001}}'
    ) -%}
    {%- if dry_run is not boolean -%}
        {{ kafka_cdc.raise_error('dry_run is ' ~ tojson(dry_run), 'write true or false, without quotes') }}
    {%- endif -%}

    {%- if execute -%}
        {%- do kafka_cdc.check_raw_is_rewritable() -%}
        {%- set rows = kafka_cdc.get_related_rows(table, key, source, tenant) -%}
        {%- set counts = kafka_cdc.count_erased_rows(ref('kafka_cdc', 'events'), rows) -%}
        {%- set is_repeated = not counts.tables[0].events and kafka_cdc._has_erased_row(rows[0]) -%}
        {%- if not counts.tables[0].events and not is_repeated -%}
            {{ kafka_cdc.raise_error(
                'no event of ' ~ rows[0].name ~ ' has the key ' ~ rows[0].row_keys[0],
                'check the columns and values of key; write it as row_key has it, so the hash of a masked column'
            ) }}
        {%- endif -%}

        {%- set lines = [] -%}
        {%- if is_repeated -%}
            {%- do lines.append(
                'Nothing is left of a person in ' ~ rows[0].name ~ ', which an earlier command has erased'
                    ~ ('' if dry_run else '. Its last steps were repeated.')
            ) -%}
        {%- elif dry_run -%}
            {%- do lines.append('Nothing is erased. A person in ' ~ rows[0].name ~ ' has these rows:') -%}
        {%- else -%}
            {%- do lines.append('Erased: a person in ' ~ rows[0].name) -%}
        {%- endif -%}
        {%- do lines.extend(kafka_cdc._format_rows(rows, counts)) -%}
        {%- set quarantine = kafka_cdc._format_quarantine(rows) -%}
        {%- if not dry_run -%}
            {%- do lines.extend(kafka_cdc._format_receipt(kafka_cdc.erase_rows(rows))) -%}
        {%- endif -%}
        {%- do lines.extend(quarantine) -%}
        {%- do lines.extend([
            '  not reached: DDL text, the logs of dbt',
            '  not reached: messages in Kafka until its retention deletes them, and copies and backups of the tables',
        ]) -%}
        {{ log(lines | join('\n'), info=true) }}
        {%- do kafka_cdc.log_unmodeled_typed_tables(rows) -%}
    {%- endif -%}
{% endmacro %}

{# Returns a line for each table, and one for each of its first keys. #}
{% macro _format_rows(rows, counts) %}
    {%- set lines = [] -%}
    {%- for table in rows -%}
        {%- set found = counts.tables[loop.index0] -%}
        {%- if not found.events -%}
            {%- do lines.append('  table ' ~ table.name ~ ': no row') -%}
        {%- else -%}
            {%- set keys = table.row_keys -%}
            {%- do lines.append(
                '  table ' ~ table.name ~ ': ' ~ keys | length ~ ' keys, ' ~ found.events ~ ' events in '
                    ~ found.messages ~ ' messages'
            ) -%}
            {%- for key in keys[:100] -%}
                {%- do lines.append('    ' ~ key) -%}
            {%- endfor -%}
            {%- if keys | length > 100 -%}
                {%- do lines.append('    and ' ~ (keys | length - 100) ~ ' more keys') -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(lines) }}
{% endmacro %}

{# Returns the lines of a receipt that name where the rows were erased. #}
{% macro _format_receipt(receipt) %}
    {%- set raw = source('raw', 'kafka_messages') -%}
    {%- set events = ref('kafka_cdc', 'events') -%}
    {%- set lines = [
        '  erased in ' ~ raw.schema ~ '.' ~ raw.identifier ~ ': payloads, keys and headers of '
            ~ receipt.counts.messages ~ ' messages, if retention has not deleted them',
        '  erased in ' ~ events.schema ~ '.' ~ events.identifier ~ ': ' ~ receipt.counts.events ~ ' events',
        '  erased in ' ~ events.schema ~ '.merged_rows: ' ~ receipt.merged ~ ' rows',
    ] -%}
    {%- for typed_table in receipt.typed_tables | sort(attribute='name') -%}
        {%- do lines.append('  erased in ' ~ typed_table.name ~ ': ' ~ typed_table.rows ~ ' rows') -%}
    {%- endfor -%}
    {%- do lines.append('  deleted: older versions of all tables, and their files') -%}
    {%- if not receipt.is_published -%}
        {%- do lines.append(
            '  NOT YET: the published version still contains the rows. Run dbt build, then this command again.'
        ) -%}
    {%- endif -%}
    {{ return(lines) }}
{% endmacro %}

{# Returns the lines with the messages in quarantine that may concern the person. #}
{% macro _format_quarantine(rows) %}
    {%- set found = kafka_cdc.get_quarantined_messages(ref('kafka_cdc', 'events'), rows) -%}
    {%- set limit = 1000 -%}
    {%- set number = found.messages | length -%}
    {%- set lines = ['  not erased: messages in quarantine that contain a key: ' ~ number] -%}
    {%- set coordinates = [] -%}
    {%- for message in found.messages[:limit] -%}
        {%- set place = {'topic': message.topic, 'partition': message.partition} -%}
        {%- if message.topic_incarnation -%}
            {%- do place.update({'topic_incarnation': message.topic_incarnation}) -%}
        {%- endif -%}
        {%- do lines.append(
            '    topic ' ~ message.topic
                ~ (' (incarnation ' ~ message.topic_incarnation ~ ')' if message.topic_incarnation else '')
                ~ ', partition ' ~ message.partition ~ ', offset ' ~ message.offset ~ ': ' ~ message.code
        ) -%}
        {%- if coordinates and dict(coordinates[-1], offsets=[]) == dict(place, offsets=[]) -%}
            {%- do coordinates[-1].offsets.append(message.offset) -%}
        {%- else -%}
            {%- do coordinates.append(dict(place, offsets=[message.offset])) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if number > limit -%}
        {%- do lines.append('    and ' ~ (number - limit) ~ ' more, which dry_run lists when these are erased') -%}
    {%- endif -%}
    {%- if coordinates -%}
        {%- set arguments = tojson({'messages': coordinates}) | replace("'", "'\\''") -%}
        {%- do lines.append('    Look at them in quarantine. To erase all of them:') -%}
        {%- do lines.append("    dbt run-operation erase_messages --args '" ~ arguments ~ "'") -%}
    {%- endif -%}
    {%- if found.binary -%}
        {%- do lines.append('  not searched: numbers in binary messages in quarantine: ' ~ found.binary) -%}
    {%- endif -%}
    {{ return(lines) }}
{% endmacro %}

{#
  Returns whether a row was erased before.

  Arguments:
    table (dict[string, any]): a table with its rows, as erase_rows takes it. The first one counts.

  Returns: a boolean.
#}
{% macro _has_erased_row(table) %}
    {%- set erased = kafka_cdc.get_erased_rows(ref('kafka_cdc', 'events')) -%}
    {%- if erased is none -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set query -%}
        select 1
        from {{ erased }}
        where row_hash in ({{ kafka_cdc.select_row_hashes([dict(table, row_keys=table.row_keys[:1])]) }})
        limit 1
    {%- endset -%}
    {{ return(run_query(query).rows | length > 0) }}
{% endmacro %}
