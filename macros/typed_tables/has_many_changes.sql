{#
  Returns whether so many rows of a typed table change that a run writes the whole table again.

  A merge reads and writes almost every file then, and computes most rows, which takes longer.
  Small tables are always merged, because the two take equally long.

  Arguments:
    changes (integer): the number of new changes of the table.
    rows (integer): the number of rows that the table has.
#}
{% macro has_many_changes(changes, rows) %}
    {%- set share_of_rows = 0.5 -%}
    {%- set min_rows = 100000 -%}
    {{ return(rows >= min_rows and changes > share_of_rows * rows) }}
{% endmacro %}
