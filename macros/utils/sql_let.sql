{#
  Prints SQL that computes expressions once and lets `body` and the expressions after them read them by name. Spark has no LET;
  an aggregate over nothing is one, and unlike transform it copies no value.
  lets: name → SQL expression, in order.
#}
{% macro sql_let(lets, body) -%}
    {%- for name, expression in lets.items() -%}
    aggregate(array(), {{ expression }}, ({{ name }}, nothing) -> {{ name }}, {{ name }} ->
    {% endfor -%}
    {{ body }}
    {%- for name in lets %}){% endfor -%}
{%- endmacro %}
