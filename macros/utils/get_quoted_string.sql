{# Returns a text as a string of jinja, JSON and yml, in double quotes; what all three can show stays readable. #}
{% macro get_quoted_string(text) %}
    {%- set quoted = namespace(text=text | replace('\\', '\\\\') | replace('"', '\\"')) -%}
    {%- for character in modules.re.findall('[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff]', text) -%}
        {%- set quoted.text = quoted.text | replace(character, '\\u007f' if character == '\x7f' else tojson(character)[1:-1]) -%}
    {%- endfor -%}
    {{ return('"' ~ quoted.text ~ '"') }}
{% endmacro %}
