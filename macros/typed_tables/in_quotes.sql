{# Returns a text as a string of jinja, JSON and yml, in double quotes; characters beyond ASCII stay readable where nothing needs an escape. #}
{% macro in_quotes(text) %}
    {{ return(tojson(text) if modules.re.search('["\\\\\\x00-\\x1f\\x7f]', text) else '"' ~ text ~ '"') }}
{% endmacro %}
