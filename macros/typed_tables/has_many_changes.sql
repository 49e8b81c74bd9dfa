{#
  Returns whether so many rows of a typed table change that a run writes the whole table again.

  A merge reads and writes almost every file then, and computes most rows, which takes longer.
  Small tables are always merged, because the two take equally long.

  Arguments:
    changes (integer): the number of new changes of the table.
    table (relation): the typed table.
#}
{% macro has_many_changes(changes, table) %}
    {%- set share_of_rows = 0.5 -%}
    {%- set min_rows = 100000 -%}
    {%- if changes <= share_of_rows * min_rows -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set rows = run_query('select count(*) from ' ~ table).columns[0].values()[0] -%}
    {{ return(rows >= min_rows and changes > share_of_rows * rows) }}
{% endmacro %}
