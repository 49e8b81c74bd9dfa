{#
  Prints an expression: `body`, with expressions that are computed once and read by name.

  Spark has no LET. An aggregate over an empty array works as one: its start value is the
  expression, and its finish function is the body. Unlike transform it copies no value.

  Example: sql_let({'a': 'f(x)', 'b': 'g(a)'}, 'a + b') computes f(x) once.
  It prints: aggregate(array(), f(x), (a, nothing) -> a, a ->
             aggregate(array(), g(a), (b, nothing) -> b, b -> a + b))

  Arguments:
    lets (dict[string, string]): name to SQL. An expression may read the names before it.
    body (string): SQL that reads the names.
#}
{% macro sql_let(lets, body) -%}
    {%- for name, expression in lets.items() -%}
    aggregate(array(), {{ expression }}, ({{ name }}, nothing) -> {{ name }}, {{ name }} ->
    {% endfor -%}
    {{ body }}
    {%- for name in lets %}){% endfor -%}
{%- endmacro %}
