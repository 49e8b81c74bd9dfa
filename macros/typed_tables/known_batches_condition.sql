{#
  Prints a condition on a row of event_batch_stats: whether a typed table has read its landing batch.

  The numbers of landing batches are random, so that the times of landing divide them. A landing may
  have begun before the last known one, and have committed later. The batches of the last ten
  minutes are therefore compared by number. A mapped raw table may have no times. Then its batch
  numbers are compared.

  Arguments:
    known (dict[string, any]): what the last run read, from get_built_from.
#}
{% macro known_batches_condition(known) -%}
case
    when landed_at is null then landing_batch <= {{ known.last_batch }}
    {%- if known.recent_from is not none %}
    when landed_at < timestamp_micros({{ known.recent_from }}) then true
    else {{ kafka_cdc.in_batches_condition(known.recent_batches) }}
    {%- else %}
    else false
    {%- endif %}
end
{%- endmacro %}
