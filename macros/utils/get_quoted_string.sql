{#
  Returns a text as a double-quoted string that is valid in Jinja, JSON and YAML.

  Characters that one of the three cannot show are escaped. All others stay readable.

  Arguments:
    text (string): the text to quote.

  Returns: a string, with its quotes.
#}
{% macro get_quoted_string(text) %}
    {%- set quoted = namespace(text=text | replace('\\', '\\\\') | replace('"', '\\"')) -%}
    {%- set unprintable = '[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff\\ufffe\\uffff]' -%}

    {%- for character in modules.re.findall(unprintable, text) -%}
        {%- set escape = '\\u007f' if character == '\x7f' else tojson(character)[1:-1] -%}
        {%- set quoted.text = quoted.text | replace(character, escape) -%}
    {%- endfor -%}

    {{ return('"' ~ quoted.text ~ '"') }}
{% endmacro %}
