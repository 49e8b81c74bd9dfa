{#
  Returns the number of a table's latest version (integer).

  Arguments:
    table (relation): the table.
#}
{% macro delta_latest_version(table) %}
    {{ return(run_query('describe history ' ~ table ~ ' limit 1').rows[0].version) }}
{% endmacro %}
