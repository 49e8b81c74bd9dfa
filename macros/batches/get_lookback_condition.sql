{#
  Returns a condition on landed_at that limits which messages a run counts.

  The limit is lookback_days before the newest processed message. If that message is in the future,
  the current time counts instead. The condition is a literal, so that the table format can skip
  files.

  Arguments:
    events (relation): the model events.

  Returns: a string, SQL of the condition. None if nothing has been processed yet or lookback_days
    is 0: then a run counts all messages.
#}
{% macro get_lookback_condition(events) %}
    {%- set days = var('lookback_days', 30) -%}
    {%- if days is not integer or days is boolean or days < 0 or days > 36500 -%}
        {{ kafka_cdc.raise_setting_error(
            setting='lookback_days',
            value=days,
            valid='a whole number of days from 0 to 36500 (0: no limit)',
            hint='write it without quotes'
        ) }}
    {%- endif -%}

    {%- if not execute or days == 0 or load_relation(events) is none -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set query -%}
        select cast(
            if(max(landed_at) is null, null, least(max(landed_at), current_timestamp())) - interval {{ days }} days
            as string
        )
        from {{ events }}
    {%- endset -%}
    {%- set oldest = run_query(query).columns[0].values()[0] -%}
    {%- if oldest is none -%}
        {{ return(none) }}
    {%- endif -%}

    {#- A raw table of another tool may lack landed_at. -#}
    {%- set condition = "landed_at >= timestamp '" ~ oldest ~ "'" -%}
    {{ return('(' ~ condition ~ ' or landed_at is null)' if kafka_cdc.get_raw_column_mapping() else condition) }}
{% endmacro %}
