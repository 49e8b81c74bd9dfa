{# Prints SQL for a reject: its code and the sentence of get_reject_codes(), followed by `what` (SQL for a text) where given. #}
{% macro reject(code, what=none) -%}
    struct('{{ code }}' as code, {% if what is none -%}
        '{{ get_reject_codes()[code] }}'
    {%- else -%}
        concat('{{ get_reject_codes()[code] }}', {{ what }})
    {%- endif %} as detail)
{%- endmacro %}
