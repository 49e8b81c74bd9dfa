{# Prints a SQL condition on an event: it says what becomes of one row that has a key. (The half of an update that says what was before does not.) #}
{% macro row_change_condition() -%}
event_kind = 'change' and row_key is not null and operation not in ('truncate', 'update_before')
{%- endmacro %}
