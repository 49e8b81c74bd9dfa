{#
  Prints SQL for a DDL text without its comments, the white space around it, and MariaDB's SET STATEMENT … FOR in front of it. What stands
  in quotes is left alone; what stands in /*! */ or /*M! */ is no comment to the databases that know them, and is left without its marks.
#}
{% macro ddl_statement(ddl_text) -%}
    trim(both ' \t\r\n;' from regexp_replace(
        regexp_replace(
            {{ ddl_text }},
            r'(?s)(\x27(?:[^\x27\\]|\\.|\x27\x27)*+\x27|"(?:[^"\\]|\\.|"")*+"|`(?:[^`]|``)*+`)|/\*M?![0-9]*+(.*?)\*/|/\*.*?\*/|--[^\n]*+|(?<![\p{L}\p{N}_$#])#[^\n]*+',
            '$1 $2'
        ),
        r'(?is)^[\s;]*+set\s++statement\s(?:\x27(?:[^\x27\\]|\\.|\x27\x27)*+\x27|[^\x27])*?\sfor\s+',
        ''
    ))
{%- endmacro %}
