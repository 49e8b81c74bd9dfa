{# Returns the statement that makes a view as it is, without the comments around its query. The view must be there. #}
{% macro get_view_statement(view) %}
    {{ return(run_query('show create table ' ~ view).rows[0][0] | trim) }}
{% endmacro %}
