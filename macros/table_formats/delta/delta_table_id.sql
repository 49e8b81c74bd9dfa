{#
  Returns the id that Delta gave a table when it was created, a string.

  Arguments:
    table (relation): the table.
#}
{% macro delta_table_id(table) %}
    {{ return(run_query('describe detail ' ~ table).rows[0].id) }}
{% endmacro %}
