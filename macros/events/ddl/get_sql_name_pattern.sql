{# Returns the regular expression of a name in a DDL statement: one part, plain or in quotes, or up to three with dots between. #}
{% macro get_sql_name_pattern(parts=3) %}
    {%- set one = '(?:`(?:[^`]|``)++`|"(?:[^"]|"")++"|\\[[^\\]]+\\]|[\\p{L}\\p{N}_$#@]+)' -%}
    {{ return(one if parts == 1 else one ~ '(?:\\s*\\.\\s*' ~ one ~ '){0,2}') }}
{% endmacro %}
