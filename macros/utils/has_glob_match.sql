{#
  Returns whether a whole text matches a glob.

  `*` stands for any text and `?` for one character. globs_condition applies the same rule in SQL.

  Arguments:
    text (string): the text.
    glob (string): the glob.

  Returns: a boolean.
#}
{% macro has_glob_match(text, glob) %}
    {%- set pattern = modules.re.escape(glob) | replace('\\*', '.*') | replace('\\?', '.') -%}
    {{ return(modules.re.match('(?s)' ~ pattern ~ '\\Z', text) is not none) }}
{% endmacro %}
