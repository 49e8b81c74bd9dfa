{# Returns the regular expression of a table's name in a DDL statement, one to three parts, each plain or in quotes. #}
{% macro get_sql_name_pattern(parts='{0,2}') %}
    {%- set one = '(?:`(?:[^`]|``)+`|"(?:[^"]|"")+"|\\[[^\\]]+\\]|[\\p{L}\\p{N}_$#@]+)' -%}
    {{ return(one if parts == 1 else one ~ '(?:\\s*\\.\\s*' ~ one ~ ')' ~ parts) }}
{% endmacro %}
