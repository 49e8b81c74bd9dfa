{#
  Returns whether each value of a column fits the type that its source column has now.

  Text holds everything, unless it is that of a time of day. A bigint or decimal holds fewer digits
  as a double, so that it does not widen to one.

  Arguments:
    before (dict[string, any]): the column, see get_typed_columns.
    after (dict[string, any]): the column with its new type.
#}
{% macro has_wider_type(before, after) %}
    {%- set widened = [['int', 'bigint'], ['int', 'double'], ['float', 'double']] -%}
    {%- if after.spark_type == 'string' -%}
        {{ return(after.macro == 'decode_text' and not after.is_ambiguous) }}
    {%- elif [before.spark_type, after.spark_type] in widened -%}
        {{ return(true) }}
    {%- endif -%}
    {%- set old = kafka_cdc._get_digits(before.spark_type, {'int': [10, 0], 'bigint': [19, 0]}) -%}
    {%- set new = kafka_cdc._get_digits(after.spark_type, {'int': [9, 0], 'bigint': [18, 0]}) -%}
    {{ return(old is not none and new is not none and old[0] <= new[0] and old[1] <= new[1]) }}
{% endmacro %}

{# Returns the digits before and after the point of a numeric type, or none. #}
{% macro _get_digits(type, integers) %}
    {%- set numbers = modules.re.findall('[0-9]+', type) | map('int') | list -%}
    {%- if type.startswith('decimal') -%}
        {{ return([numbers[0] - numbers[1], numbers[1]]) }}
    {%- endif -%}
    {{ return(integers.get(type)) }}
{% endmacro %}
