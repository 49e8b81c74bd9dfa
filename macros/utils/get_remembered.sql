{#
  Returns what a macro returns. It is called once in each dbt invocation and for each package, because
  the settings that a node sees depend on its package.

  Arguments:
    name (string): what the result is remembered as.
    macro (any): the macro. The caller does not change its result.
    argument (optional[any]): the argument of the macro, if it has one.

  Returns: the result of the macro.
#}
{% macro get_remembered(name, macro, argument=none) %}
    {%- set package = model.package_name if model is defined else '' -%}
    {%- set known = kafka_cdc.get_run_memory().setdefault('results', {}).setdefault(package, {}) -%}
    {%- if name not in known -%}
        {%- do known.update({name: macro() if argument is none else macro(argument)}) -%}
    {%- endif -%}
    {{ return(known[name]) }}
{% endmacro %}
