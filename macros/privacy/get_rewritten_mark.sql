{# Returns how a payload begins that forget_row has rewritten. #}
{% macro get_rewritten_mark() %}{{ return('{"kafka_cdc_rewritten":') }}{% endmacro %}
