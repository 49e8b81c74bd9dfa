{#
  Returns a condition on landed_at that limits which messages a run counts.

  The limit is lookback_days before the newest summarized message. If that message is in the future,
  the current time counts instead. Spark makes a literal of the condition, so that the table format
  can skip files.

  Returns: a string, SQL of the condition. None if nothing has been summarized yet or lookback_days
    is 0: then a run counts all messages.
#}
{% macro get_lookback_condition() %}
    {%- set days = var('lookback_days', 30) -%}
    {%- if days is not integer or days is boolean or days < 0 or days > 36500 -%}
        {{ kafka_cdc.raise_setting_error(
            setting='lookback_days',
            value=days,
            valid='a whole number of days from 0 to 36500 (0: no limit)',
            hint='write it without quotes'
        ) }}
    {%- endif -%}

    {%- set batch_stats = kafka_cdc.get_model_relation('event_batch_stats') -%}
    {%- if days == 0 or batch_stats is none or not kafka_cdc.has_table(batch_stats) -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set newest = kafka_cdc.get_facts(kafka_cdc.get_versioned_relation(batch_stats)).newest_landing -%}
    {%- if newest is none -%}
        {{ return(none) }}
    {%- endif -%}

    {#- A raw table of another tool may lack landed_at. -#}
    {%- set condition = "landed_at >= least(timestamp '" ~ newest ~ "', current_timestamp()) - interval " ~ days ~ ' days' -%}
    {{ return('(' ~ condition ~ ' or landed_at is null)' if kafka_cdc.get_raw_column_mapping() else condition) }}
{% endmacro %}
