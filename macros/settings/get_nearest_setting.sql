{#
  Returns the setting that shares most pairs of neighboring letters with a name, or none.

  Arguments:
    name (any): a name that is no setting.
#}
{% macro get_nearest_setting(name) %}
    {%- set best = namespace(name=none, share=0.5) -%}
    {%- set pairs = kafka_cdc._get_letter_pairs(name | string | lower | replace('-', '_')) -%}
    {%- for candidate in kafka_cdc.get_setting_names() -%}
        {%- set others = kafka_cdc._get_letter_pairs(candidate) -%}
        {%- set common = pairs | select('in', others) | list -%}
        {%- set share = 2 * common | length / (pairs | length + others | length) -%}
        {%- if share > best.share -%}
            {%- set best.name = candidate -%}
            {%- set best.share = share -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(best.name) }}
{% endmacro %}

{# Returns the pairs of neighboring letters of a name, each once, and its first and last letter. #}
{% macro _get_letter_pairs(name) %}
    {%- set text = ' ' ~ name ~ ' ' -%}
    {%- set pairs = [] -%}
    {%- for at in range(text | length - 1) -%}
        {%- do pairs.append(text[at:at + 2]) -%}
    {%- endfor -%}
    {{ return(pairs | unique | list) }}
{% endmacro %}
