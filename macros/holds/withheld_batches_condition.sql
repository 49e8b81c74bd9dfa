{#
  Prints a condition: a landing batch was not published when a hold began.

  It is empty if nothing of the table was published. Then all batches are withheld.

  What landed after the hold began is known by its time. The numbers of landing batches are random, so
  that a list of them would get longer with each landing. A raw table of another tool may lack the
  times, or add messages to a published batch. There only the numbers count.

  Arguments:
    hold (dict[string, any]): from get_holds.

  Requires: the columns `landing_batch` and `landed_at`.
#}
{% macro withheld_batches_condition(hold) -%}
    {%- if hold.last_published_batch is not none -%}
        {%- set conditions = ['landing_batch > ' ~ hold.last_published_batch] -%}
        {%- if not kafka_cdc.get_raw_column_mapping() -%}
            {%- do conditions.append('coalesce(landed_at > timestamp_micros(' ~ hold.held_since ~ '), false)') -%}
        {%- endif -%}
        {%- if hold.late_batches -%}
            {%- do conditions.append(kafka_cdc.in_batches_condition(hold.late_batches)) -%}
        {%- endif -%}
    {{ conditions[0] if conditions | length == 1 else '(' ~ conditions | join(' or ') ~ ')' }}
    {%- endif -%}
{%- endmacro %}
