{#
  Prints a SELECT: events that were stored before their table had masks, with masks applied.

  Payloads that erase_row has rewritten contain such events. Events that already have masks keep
  them, because a hash cannot be hashed again.

  Arguments:
    events (string): SQL of a relation with the columns of events.
#}
{% macro select_masked_events(events) -%}
{%- set key = kafka_cdc.masked_row("from_json(row_key, 'map<string, string>')") -%}
{%- set previous_key = kafka_cdc.masked_row("from_json(previous_row_key, 'map<string, string>')") -%}
{%- set masked = {
    'before_row': kafka_cdc.masked_row('before_row'),
    'after_row': kafka_cdc.masked_row('after_row'),
    'row_key': 'to_json(' ~ key ~ ')',
    'previous_row_key': 'to_json(' ~ previous_key ~ ')',
    'column_types': kafka_cdc.masked_column_types('column_types'),
} -%}
select
    {%- for column in kafka_cdc.get_event_columns() %}
    {{ masked[column] | indent(4) ~ ' as ' if column in masked }}{{ column }}{{ ',' if not loop.last }}
    {%- endfor %}
from (
    select
        *,
        if(
            exists(map_values(column_types), type -> startswith(type, 'masked(')),
            null,
            {{ kafka_cdc.mask_line() | indent(8) }}
        ) as mask_line,
        if(event_kind = 'change', operation, null) as required_image,
        reject_code as reject
    from {{ events }}
)
{%- endmacro %}
