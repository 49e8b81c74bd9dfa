{#
  Prints a condition: an event can affect the content of a row.

  These are changes of rows with a key, and events that empty, rename or replace tables.
  Rejected messages and heartbeats are examples of events that cannot.

  Arguments:
    full_history_condition (optional[string]): from get_full_history_condition. Tables that it
      selects keep changes without a key as well.

  Requires: the columns of the model events.
#}
{% macro affects_state_condition(full_history_condition) -%}
{{ kafka_cdc.row_change_condition() }}
or event_kind = 'ddl'
or operation = 'truncate'
{%- if kafka_cdc.has_table_setting('on_tombstone', ['delete']) %}
or event_kind = 'tombstone'
{%- endif %}
{%- if kafka_cdc.has_table_setting('on_snapshot', ['replace']) %}
or event_kind <> 'change' and (snapshot_mark is not null or operation_code = 'erased')
{%- endif %}
{%- if full_history_condition %}
or event_kind = 'change' and ({{ full_history_condition }})
{%- endif %}
{%- endmacro %}
