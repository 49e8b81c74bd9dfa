{#
  Prints a SQL condition on an event: it may decide what a row is. Such are changes of rows that have a key, and what empties, renames or replaces
  tables; rejected messages, heartbeats and the like are not. keeps_all: of keeps_all_changes; there changes without a key may, too.
#}
{% macro is_ever_needed(keeps_all) -%}
{{ is_row_change() }}
or event_kind = 'ddl'
or operation = 'truncate'
{%- if is_any_table_setting('on_tombstone', ['delete']) %}
or event_kind = 'tombstone'
{%- endif %}
{%- if is_any_table_setting('on_snapshot', ['replace']) %}
or event_kind <> 'change' and (snapshot_mark is not null or operation_code = 'forgotten')
{%- endif %}
{%- if keeps_all %}
or event_kind = 'change' and ({{ keeps_all }})
{%- endif %}
{%- endmacro %}
