{#
  Prints a SELECT: events without the data of erased rows.

  | event | becomes |
  |---|---|
  | a change of an erased row | an event of kind `other`, with its coordinates only |
  | an update to an erased key, from a key that is not erased | the delete of the key before |
  | an update from an erased key, to a key that is not erased | the same update without the key before |
  | a message in quarantine that erase_messages erases | as a change of an erased row, without a table |

  operation_code ends with `erased` in all cases. A change of a source snapshot keeps its
  operation, because the rows of a snapshot show when the snapshot was taken.

  Arguments:
    events (string): SQL of a relation with the columns of events.
    erased (relation): the table erased_rows.
#}
{% macro select_redacted_events(events, erased) -%}
{%- set deletes_previous_key = 'is_erased and previous_row_key is not null and not is_previous_erased' -%}
{%- set operation -%}
case
        when {{ deletes_previous_key }} then 'delete'
        when not is_erased or operation = 'snapshot' then operation
    end
{%- endset -%}
{%- set operation_code -%}
case
        when is_erased then 'erased'
        when is_previous_erased then concat_ws(' ', operation_code, 'erased')
        else operation_code
    end
{%- endset -%}
{%- set row_key -%}
case
        when {{ deletes_previous_key }} then previous_row_key
        when not is_erased then row_key
    end
{%- endset -%}

{%- set redacted = {
    'event_kind': "if(is_erased and not (" ~ deletes_previous_key ~ "), 'other', event_kind)",
    'operation': operation,
    'operation_code': operation_code,
    'row_key': row_key,
    'previous_row_key': 'if(is_erased or is_previous_erased, null, previous_row_key)',
    'before_row': 'if(is_erased or is_previous_erased, null, before_row)',
    'after_row': 'if(is_erased, null, after_row)',
    'image': 'if(is_erased, null, image)',
    'removed_columns': 'if(is_erased, null, removed_columns)',
    'paths': 'if(is_erased, null, paths)',
} -%}

{#- What a rejected message was read as may be any text of its payload. -#}
{%- for column in ['source_name', 'source_tenant', 'source_database', 'source_schema', 'source_table'] -%}
    {%- do redacted.update({column: "if(is_erased and event_kind = 'rejected', '', " ~ column ~ ')'}) -%}
{%- endfor -%}
{%- set texts = [
    'source_database_type', 'key_columns', 'column_types', 'ddl_text', 'ddl_tables', 'reject_code', 'reject_detail'
] -%}
{%- for column in texts -%}
    {%- do redacted.update({column: "if(is_erased and event_kind = 'rejected', null, " ~ column ~ ')'}) -%}
{%- endfor -%}
{%- set hashes = '(select distinct row_hash from ' ~ erased ~ ')' -%}
select
    {%- for column in kafka_cdc.get_event_columns() %}
    {{ redacted[column] ~ ' as ' if column in redacted }}{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
from (
    select
        events.*,
        erased.row_hash is not null as is_erased,
        erased_previous.row_hash is not null as is_previous_erased
    from {{ events }} as events
    left join {{ hashes }} as erased on erased.row_hash = case events.event_kind
        when 'tombstone' then {{ kafka_cdc.key_hash('events.kafka_topic', 'events.row_key') }}
        when 'rejected' then {{ kafka_cdc.reject_hash() }}
        else {{ kafka_cdc.row_hash('events.row_key') }}
    end
    left join {{ hashes }} as erased_previous
        on erased_previous.row_hash = {{ kafka_cdc.row_hash('events.previous_row_key') }}
) as marked
{%- endmacro %}
