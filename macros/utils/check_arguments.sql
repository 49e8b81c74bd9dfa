{#
  Raises an error if an operation lacks a required argument, or got one that it does not have.

  Without it Jinja would report an undefined value, or an error that names none of the arguments.

  Arguments:
    operation (string): the name of the macro.
    arguments (dict[string, any]): the arguments that it has, and their values. A missing one is none.
    unknown (dict[string, any]): other arguments that it got, from Jinja's variable kwargs.
    required (list[string]): the names of the arguments that it needs.
    example (string): an example of --args.
#}
{% macro check_arguments(operation, arguments, unknown, required, example) %}
    {%- set hint = 'for example dbt run-operation ' ~ operation ~ " --args '" ~ example ~ "'" -%}
    {%- for name in unknown -%}
        {{ kafka_cdc.raise_error(
            operation ~ ' has no argument ' ~ name ~ '; it has ' ~ arguments.keys() | join(', '),
            hint
        ) }}
    {%- endfor -%}
    {%- for name in required if arguments[name] is none -%}
        {{ kafka_cdc.raise_error(operation ~ ' needs the argument ' ~ name, hint) }}
    {%- endfor -%}
{% endmacro %}
