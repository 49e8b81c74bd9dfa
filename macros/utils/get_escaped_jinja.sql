{# Returns a text for a file that dbt renders: jinja gives it back as it is, so that a name which is jinja stays a name. #}
{% macro get_escaped_jinja(text) %}
    {{ return(modules.re.sub('[{](?=[{%#])', "{{ '{' }}", text)) }}
{% endmacro %}
