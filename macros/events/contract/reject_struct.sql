{#
  Prints an expression: a reject, which is a struct of a code and a detail.

  The detail is the code's sentence in get_reject_codes, followed by `what` if it is given.

  Arguments:
    code (string): the reject code.
    what (optional[string]): SQL of the text to append.
#}
{% macro reject_struct(code, what=none) -%}
    struct('{{ code }}' as code, {% if what is none -%}
        '{{ kafka_cdc.get_reject_codes()[code] }}'
    {%- else -%}
        concat('{{ kafka_cdc.get_reject_codes()[code] }}', {{ what }})
    {%- endif %} as detail)
{%- endmacro %}
