{#
  Returns the options of every from_json in the project: strict JSON of any size, raw control characters in strings apart
  (Tencent CKafka sends them in CREATE TABLE).
#}
{% macro get_json_options() %}
    {%- set options = {
        'allowUnquotedControlChars': 'true',
        'allowSingleQuotes': 'false',
        'allowNonNumericNumbers': 'false',
        'maxNumLen': '2147483647',
        'maxStringLen': '2147483647',
    } -%}
    {%- set pairs = [] -%}
    {%- for name, value in options.items() %}{% do pairs.append("'" ~ name ~ "', '" ~ value ~ "'") %}{% endfor -%}
    {{ return('map(' ~ pairs | join(', ') ~ ')') }}
{% endmacro %}
