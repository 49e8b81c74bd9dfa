{#
  Returns the CREATE VIEW statement of an existing view, without the comments around its query.

  Arguments:
    view (relation): the view. It must exist.

  Returns: a string.
#}
{% macro get_view_statement(view) %}
    {{ return(run_query('show create table ' ~ view).rows[0][0] | trim) }}
{% endmacro %}
