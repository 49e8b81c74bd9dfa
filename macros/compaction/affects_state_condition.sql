{#
  Prints a SQL condition on an event: it may decide what a row is. Such are changes of rows that have a key, and what empties, renames or replaces
  tables; rejected messages, heartbeats and the like are not. keeps_all: of get_full_history_condition; there changes without a key may, too.
#}
{% macro affects_state_condition(keeps_all) -%}
{{ kafka_cdc.row_change_condition() }}
or event_kind = 'ddl'
or operation = 'truncate'
{%- if kafka_cdc.has_table_setting('on_tombstone', ['delete']) %}
or event_kind = 'tombstone'
{%- endif %}
{%- if kafka_cdc.has_table_setting('on_snapshot', ['replace']) %}
or event_kind <> 'change' and (snapshot_mark is not null or operation_code = 'erased')
{%- endif %}
{%- if keeps_all %}
or event_kind = 'change' and ({{ keeps_all }})
{%- endif %}
{%- endmacro %}
