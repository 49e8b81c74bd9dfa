{# Prints SQL for the payload as it is parsed: its numbers quoted with number_marker where they need care, else untouched. #}
{% macro exact_text() -%}
    if(number_marker is null, value, {{ kafka_cdc.quote_numbers('value', 'number_marker') }})
{%- endmacro %}
