{# Returns whether a text matches a glob (* any text, ? one character) as a whole. #}
{% macro has_glob_match(text, glob) %}
    {%- set pattern = modules.re.escape(glob) | replace('\\*', '.*') | replace('\\?', '.') -%}
    {{ return(modules.re.match('(?s)' ~ pattern ~ '\\Z', text) is not none) }}
{% endmacro %}
