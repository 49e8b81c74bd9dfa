{#
  Prints an expression: the text of the number at the end of a binlog file's name.

  A name without a number is the result itself. It is no number, and a position with it is rejected.

  Arguments:
    file (string): SQL of the name.
#}
{% macro binlog_file_number(file) -%}
    coalesce(nullif(regexp_extract({{ file }}, r'(?<![0-9])([0-9]++)\z', 1), ''), {{ file }})
{%- endmacro %}
