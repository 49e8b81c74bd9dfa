{# Prints SQL for the payload as it is parsed: its numbers quoted with number_mark where they need care, else untouched. #}
{% macro exact_text() -%}
    if(number_mark is null, value, {{ quote_numbers('value', 'number_mark') }})
{%- endmacro %}
