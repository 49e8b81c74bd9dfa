{#
  Prints an expression: a DDL text without comments and surrounding white space.

  Quoted text is not touched. Databases execute what is in /*! */ or /*M! */, so only the comment
  marks go. MariaDB's SET STATEMENT … FOR in front of a statement goes, too.

  Arguments:
    ddl_text (string): SQL of the text.
#}
{% macro ddl_statement(ddl_text) -%}
    {#- Group 1 is a quoted text, group 2 the content of an executable comment. Everything else goes. -#}
    {%- set quoted -%}
    (\x27(?:[^\x27\\]|\\.|\x27\x27)*+\x27|"(?:[^"\\]|\\.|"")*+"|`(?:[^`]|``)*+`)
    {%- endset -%}
    {%- set executable_comment -%}
    /\*M?![0-9]*+(.*?)\*/
    {%- endset -%}
    {%- set comment -%}
    /\*.*?(?:\*/|\z)|--[^\n]*+|(?<![\p{L}\p{N}_$#])#[^\n]*+
    {%- endset -%}

    trim(both ' \t\r\n;' from regexp_replace(
        regexp_replace(
            {{ ddl_text }},
            r'(?s){{ quoted }}|{{ executable_comment }}|{{ comment }}',
            '$1 $2'
        ),
        r'(?is)^[\s;]*+set\s++statement\s(?:\x27(?:[^\x27\\]|\\.|\x27\x27)*+\x27|(?!\sfor\s)[^\x27])*+\sfor\s+',
        ''
    ))
{%- endmacro %}
