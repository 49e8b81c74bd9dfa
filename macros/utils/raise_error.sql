{#
  Raises an error of one line: the problem, and a hint with the command or setting that solves it.

  Arguments:
    problem (string): what is wrong, without a full stop.
    hint (string): what is valid, or what to do.
#}
{% macro raise_error(problem, hint) %}
    {{ exceptions.raise_compiler_error('kafka_cdc: ' ~ problem ~ '. Hint: ' ~ hint) }}
{% endmacro %}
