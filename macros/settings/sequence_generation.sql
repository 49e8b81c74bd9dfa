{#
  Prints SQL for the epoch of a message: how many lines of the setting `sequence_resets` it has reached in its topic and partition.
  From each on, the vendor's sequence starts anew, and everything there comes after everything before.
#}
{% macro sequence_generation() -%}
    {%- for line in kafka_cdc.get_sequence_resets() %}
    if({{ kafka_cdc.sequence_reset_condition(line) }}, 1, 0)
        {{- ' +' if not loop.last }}
    {%- else -%}
    0
    {%- endfor -%}
{%- endmacro %}
