{#
  Returns the setting `silence_factor`, checked: how many times its longest time without a message a
  topic may be silent.

  Returns: number; 0 if topics are not judged by their history.
#}
{% macro get_silence_factor() %}
    {%- set factor = var('silence_factor', 2) -%}
    {%- if factor is not number or factor is boolean or (factor != 0 and factor < 1) -%}
        {{ kafka_cdc.raise_setting_error(
            setting='silence_factor',
            value=factor,
            valid='0, or a number from 1',
            hint='0 turns the warnings of silent topics off; 2 is the default'
        ) }}
    {%- endif -%}
    {{ return(factor) }}
{% endmacro %}
