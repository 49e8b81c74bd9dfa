{# Prints SQL for a DDL text without its comments and the white space around it; what stands in quotes is left alone. #}
{% macro ddl_statement(ddl_text) -%}
    trim(both ' \t\r\n;' from regexp_replace(
        {{ ddl_text }},
        r'(?s)(\x27(?:[^\x27\\]|\\.|\x27\x27)*+\x27|"(?:[^"\\]|\\.|"")*+"|`[^`]*+`)|/\*.*?\*/|--[^\n]*+|#[^\n]*+',
        '$1'
    ))
{%- endmacro %}
