{#
  Prints SQL for the epoch of a message: how many lines of the setting `epochs` it has reached in its topic and partition.
  From each on, the vendor's sequence starts anew, and everything there comes after everything before.
#}
{% macro row_epoch() -%}
    {%- for line in get_epochs() %}
    if({{ is_in_epoch(line) }}, 1, 0)
        {{- ' +' if not loop.last }}
    {%- else -%}
    0
    {%- endfor -%}
{%- endmacro %}
