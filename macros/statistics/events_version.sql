{#
  Prints an expression: the fingerprint of a landing batch's files in events, a literal per batch.

  Arguments:
    batches (optional[dict[integer, integer]]): from get_batches_to_summarize. None gives null.

  Requires: the column `landing_batch`.
#}
{% macro events_version(batches) -%}
    {%- if not batches -%}
    cast(null as bigint)
    {%- else -%}
    case landing_batch
        {%- for batch, events_version in batches.items() %}
        when {{ batch }} then {{ events_version }}
        {%- endfor %}
    end
    {%- endif -%}
{%- endmacro %}
