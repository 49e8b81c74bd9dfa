{#
  Erases messages in quarantine permanently: from raw, events, and the files on disk.

  In raw the payload is rewritten, and key and headers become null. The coordinates stay. In events
  the reject code and reason are erased. Changes of the same message that were read stay. A hash in
  the table erased_rows prevents a repeated landing of these coordinates from restoring the message.

  The command is safe to repeat. It changes nothing if an input is wrong.

  Example: dbt run-operation erase_messages --args
    '{messages: [{topic: orders, partition: 0, offsets: [17, 18]}]}'

  Arguments:
    messages (list[dict[string, any]]): coordinates. Each has `topic`, `partition` and `offsets`, and
      `topic_incarnation` if it is not 0.

  Prints: nothing. The log has the number of erased messages.
#}
{% macro erase_messages(messages=none) %}
    {%- do kafka_cdc.check_arguments(
        operation='erase_messages',
        arguments={'messages': messages},
        unknown=kwargs,
        required=['messages'],
        example='{messages: [{topic: orders, partition: 0, offsets: [17]}]}'
    ) -%}

    {%- set events = ref('kafka_cdc', 'events') -%}
    {%- if execute -%}
        {%- do kafka_cdc.check_raw_is_rewritable() -%}
        {%- set coordinates = kafka_cdc._get_coordinates(messages) -%}
        {%- do kafka_cdc.check_events() -%}
        {%- set conditions = kafka_cdc._get_conditions(coordinates) -%}
        {%- do kafka_cdc._check_quarantine(events, coordinates, conditions) -%}

        {%- set of_messages = '(' ~ conditions | join(' or ') ~ ')' -%}
        {%- set query -%}
            select count(distinct {{ kafka_cdc.get_message_coordinates() | join(', ') }})
            from {{ events }}
            where event_kind = 'rejected' and {{ of_messages }}
        {%- endset -%}
        {%- set number = run_query(query).columns[0].values()[0] -%}

        {#- Hashes come first: they make the command repeatable. -#}
        {%- set erased = kafka_cdc.get_erased_rows(events) or kafka_cdc.create_erased_rows(events) -%}
        {%- do kafka_cdc.record_erasure_hashes(
            erased,
            'select ' ~ kafka_cdc.reject_hash() ~ ' as row_hash from ' ~ events ~ " where event_kind = 'rejected' and "
                ~ of_messages
        ) -%}
        {%- set message_hashes -%}
            select {{ kafka_cdc.message_hash() }} as row_hash
            from {{ events }}
            where {{ of_messages }}
        {%- endset -%}
        {%- set is_published = kafka_cdc.rewrite_erased_messages(events, erased, message_hashes) -%}
        {%- do kafka_cdc.maintain_tables(keep_days=0) -%}

        {%- set raw = source('raw', 'kafka_messages') -%}
        {%- set lines = [
            'Erased: ' ~ number ~ (' message' if number == 1 else ' messages') ~ ' in quarantine',
            '  erased in ' ~ raw.schema ~ '.' ~ raw.identifier ~ ': payloads, keys and headers',
            '  erased in ' ~ events.schema ~ '.' ~ events.identifier ~ ': reject codes and reasons',
            '  deleted: older versions of all tables, and their files',
        ] -%}
        {%- if not is_published -%}
            {%- do lines.append(
                '  NOT YET: the published version still contains the reasons. Run dbt build, then this command again.'
            ) -%}
        {%- endif -%}
        {{ log(lines | join('\n'), info=true) }}
    {%- endif -%}
{% endmacro %}

{# Returns the argument messages as a list of dictionaries with all keys. It raises an error if it is wrong. #}
{% macro _get_coordinates(messages) %}
    {%- set example = "--args '{messages: [{topic: orders, partition: 0, offsets: [17]}]}'" -%}
    {%- set is_list = messages is iterable and messages is not string and messages is not mapping -%}
    {%- if not is_list or messages | length == 0 -%}
        {{ kafka_cdc.raise_error('messages is ' ~ tojson(messages) ~ ', and not a list of messages', example) }}
    {%- endif -%}

    {%- set coordinates = [] -%}
    {%- for message in messages -%}
        {%- set line = dict({'topic_incarnation': 0}, **message) if message is mapping else {} -%}
        {%- set offsets = line.offsets -%}
        {%- set is_valid = (
            line | length == 4
            and line.topic is string
            and line.partition is integer
            and line.topic_incarnation is integer
            and offsets is iterable and offsets is not string and offsets is not mapping
            and offsets | length > 0
            and offsets | reject('integer') | list == []
        ) -%}
        {%- if not is_valid -%}
            {{ kafka_cdc.raise_error(
                kafka_cdc.get_entry_name('messages', message, loop.index) ~ ' is ' ~ tojson(message)
                    ~ '; it needs topic, partition and a list of offsets, and may have topic_incarnation',
                example
            ) }}
        {%- endif -%}
        {%- do coordinates.append(line) -%}
    {%- endfor -%}
    {{ return(coordinates) }}
{% endmacro %}

{# Returns a condition on an event for each item of messages. #}
{% macro _get_conditions(coordinates) %}
    {%- set conditions = [] -%}
    {%- for line in coordinates -%}
        {%- set condition -%}
            (
                kafka_topic = {{ kafka_cdc.sql_literal(line.topic) }}
                and topic_incarnation = {{ line.topic_incarnation }}
                and kafka_partition = {{ line.partition }}
                and kafka_offset in ({{ line.offsets | join(', ') }})
            )
        {%- endset -%}
        {%- do conditions.append(condition) -%}
    {%- endfor -%}
    {{ return(conditions) }}
{% endmacro %}

{# Raises an error unless each message has a rejected or an erased event. #}
{% macro _check_quarantine(events, coordinates, conditions) %}
    {%- for line in coordinates -%}
        {%- set query -%}
            select
                kafka_offset,
                max(event_kind = 'rejected' or event_kind = 'other' and operation_code = 'erased') as is_quarantined
            from {{ events }}
            where {{ conditions[loop.index0] }}
            group by kafka_offset
        {%- endset -%}
        {%- set found = {} -%}
        {%- for row in run_query(query).rows -%}
            {%- do found.update({row[0] | int: row[1]}) -%}
        {%- endfor -%}
        {%- for offset in line.offsets if not found.get(offset) -%}
            {{ kafka_cdc.raise_error(
                'topic ' ~ line.topic ~ ', partition ' ~ line.partition ~ ', offset ' ~ offset ~ ' is '
                    ~ ('not in quarantine' if offset in found else 'in no event'),
                'erase rows of a message that was read by erase_row' if offset in found
                    else 'copy the coordinates from cdc.quarantine'
            ) }}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}
