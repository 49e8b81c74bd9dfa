{# Returns how a payload begins that erase_row has rewritten. #}
{% macro get_rewritten_marker() %}{{ return('{"kafka_cdc_rewritten":') }}{% endmacro %}
