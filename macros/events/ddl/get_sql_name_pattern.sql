{#
  Returns the regular expression of a name in a DDL statement.

  A part of a name is plain or in quotes: `a`, "a" or [a].

  Arguments:
    parts (integer): 1 for one part, 3 for up to three parts with dots between them.

  Returns: a string.
#}
{% macro get_sql_name_pattern(parts=3) %}
    {%- set part = '(?:`(?:[^`]|``)++`|"(?:[^"]|"")++"|\\[[^\\]]+\\]|[\\p{L}\\p{N}_$#@]+)' -%}
    {{ return(part if parts == 1 else part ~ '(?:\\s*\\.\\s*' ~ part ~ '){0,2}') }}
{% endmacro %}
