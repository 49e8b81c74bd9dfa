{# Returns the statement that makes a view as it is, without the comments around its query; '' where there is none. (dbt's own list lacks Iceberg's views.) #}
{% macro get_view_statement(view) %}
    {%- for row in run_query('show views in ' ~ view.without_identifier() ~ " like '" ~ view.identifier ~ "'").rows -%}
        {{ return(run_query('show create table ' ~ view).rows[0][0] | trim) }}
    {%- endfor -%}
    {{ return('') }}
{% endmacro %}
