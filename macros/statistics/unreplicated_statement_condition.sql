{#
  Prints a condition: an event is a statement that may change rows without row events for them.

  It is DDL, or a statement in place of rows. A statement that is sent in addition to its rows does
  not count: a row change of the same time follows it directly.

  Arguments:
    following (string): SQL of the next event, from following_event.

  Requires: columns `event_kind`, `ddl_text`, `operation`, `occurred_at`.
#}
{% macro unreplicated_statement_condition(following) -%}
    (
        event_kind = 'ddl' and (ddl_text is not null or operation = 'alter')
        or event_kind = 'other'
        and ddl_text is not null
        and not coalesce({{ following }}.event_kind = 'change' and {{ following }}.occurred_at = occurred_at, false)
    )
{%- endmacro %}
