{# Prints the options of to_json and from_json by which events come back as they were. #}
{% macro rewritten_json_options() -%}
    map('timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX", 'maxStringLen', '2147483647', 'maxNestingDepth', '2147483647')
{%- endmacro %}
