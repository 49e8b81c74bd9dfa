{# Prints SQL for OMS's position: ten digits of seconds, then a counter of up to five, not padded. #}
{% macro oceanbase_oms_sequence(text) -%}
    {{ kafka_cdc.sequence_array(['substring(' ~ text ~ ', 1, 10)', 'coalesce(nullif(substring(' ~ text ~ ", 11), ''), '0')"]) }}
{%- endmacro %}
