{#
  Returns the options of every from_json in the project: strict JSON of any size.

  Raw control characters inside strings are the one exception. Tencent CKafka sends them in
  CREATE TABLE statements.

  Returns: a string, SQL of a map.
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
    {%- for name, value in options.items() -%}
        {%- do pairs.append("'" ~ name ~ "', '" ~ value ~ "'") -%}
    {%- endfor -%}

    {{ return('map(' ~ pairs | join(', ') ~ ')') }}
{% endmacro %}
