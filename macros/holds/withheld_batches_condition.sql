{#
  Prints a condition: a landing batch was not published when a hold began.

  It is empty if nothing was published. Then all batches are withheld.

  Arguments:
    hold (dict[string, any]): from get_holds.

  Requires: the column `landing_batch`.
#}
{% macro withheld_batches_condition(hold) -%}
    {%- if hold.last_published_batch is not none and hold.late_batches -%}
    (landing_batch > {{ hold.last_published_batch }} or {{ kafka_cdc.in_batches_condition(hold.late_batches) }})
    {%- elif hold.last_published_batch is not none -%}
    landing_batch > {{ hold.last_published_batch }}
    {%- endif -%}
{%- endmacro %}
