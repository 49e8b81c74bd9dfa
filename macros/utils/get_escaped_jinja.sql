{#
  Returns a text that is safe in a file that dbt renders.

  Jinja renders the result to the original text, even if the text looks like Jinja.
  Names of source columns can contain anything.

  Arguments:
    text (string): the text to escape.

  Returns: a string.
#}
{% macro get_escaped_jinja(text) %}
    {{ return(modules.re.sub('[{](?=[{%#])', "{{ '{' }}", text)) }}
{% endmacro %}
