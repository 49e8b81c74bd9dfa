{#
  Prints a SQL condition: the event is a statement that may change rows without saying so: DDL, or a statement instead of rows. No such thing
  is one that stands beside its rows: a row change of the same time follows it at once. following: of following_event.
#}
{% macro unreplicated_statement_condition(following) -%}
    (
        event_kind = 'ddl' and (ddl_text is not null or operation = 'alter')
        or event_kind = 'other' and ddl_text is not null
        and not coalesce({{ following }}.event_kind = 'change' and {{ following }}.occurred_at = occurred_at, false)
    )
{%- endmacro %}
