{#
  Prints an expression: the options of to_json and from_json that keep events unchanged.
#}
{% macro rewritten_json_options() -%}
    map(
        'timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
        'maxStringLen', '2147483647',
        'maxNestingDepth', '2147483647'
    )
{%- endmacro %}
