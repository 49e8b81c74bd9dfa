{# Prints SQL for a reject: its code and the sentence of get_reject_codes(), followed by `what` (SQL for a text) where given. #}
{% macro reject_struct(code, what=none) -%}
    struct('{{ code }}' as code, {% if what is none -%}
        '{{ kafka_cdc.get_reject_codes()[code] }}'
    {%- else -%}
        concat('{{ kafka_cdc.get_reject_codes()[code] }}', {{ what }})
    {%- endif %} as detail)
{%- endmacro %}
