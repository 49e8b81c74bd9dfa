{#
  Returns the table erased_rows next to events, which has the columns row_hash and erased_at.

  It has the hashes of erased rows, of their Kafka keys, and of the messages that were rewritten.

  An earlier version named the table forgotten_rows. If only that table exists, the macro raises an
  error with the statements that convert it. Without the hashes a replay or a duplicate would
  restore erased rows. The conversion creates the table after it has updated events, so that runs
  stop as long as the conversion is incomplete.

  Arguments:
    events (relation): the model events.

  Returns: a relation, or none if nothing was ever erased.
#}
{% macro get_erased_rows(events) %}
    {%- if not execute -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set erased = events.incorporate(path={'identifier': 'erased_rows'}) -%}
    {%- set forgotten = events.incorporate(path={'identifier': 'forgotten_rows'}) -%}
    {%- if load_relation(erased) is none and load_relation(forgotten) is not none -%}
        {%- set statements = [
            'update ' ~ events ~ " set operation_code = regexp_replace(operation_code, 'forgotten$', 'erased')"
                ~ " where event_kind <> 'rejected' and endswith(operation_code, 'forgotten')",
            'create table ' ~ erased ~ ' using ' ~ kafka_cdc.get_table_format()
                ~ ' as select row_hash, forgotten_at as erased_at from ' ~ forgotten,
            'drop table ' ~ forgotten,
        ] -%}
        {{ kafka_cdc.raise_error(
            forgotten ~ ' lists erased rows and is now named erased_rows; without it erased rows would return',
            'run these statements, then the same command again: ' ~ statements | join('; ')
        ) }}
    {%- endif -%}

    {{ return(load_relation(erased)) }}
{% endmacro %}
