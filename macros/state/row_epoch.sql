{#
  Prints SQL for the epoch of a message: how many lines of the setting `epochs` it has reached in its topic and partition.
  From each on, the vendor's sequence starts anew, and everything there comes after everything before.
#}
{% macro row_epoch() -%}
    {%- set lines = get_epochs() -%}
    {%- if lines -%}
        {%- for line in lines %}
        if(kafka_topic = {{ sql_text(line.topic) | trim }} and kafka_partition = {{ line.partition }} and kafka_offset >= {{ line.offset }}, 1, 0)
            {{- ' +' if not loop.last }}
        {%- endfor -%}
    {%- else -%}
        0
    {%- endif -%}
{%- endmacro %}
