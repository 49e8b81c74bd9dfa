{# Prints a SQL condition: the whole text matches one of the globs (* any text, ? one character). #}
{% macro globs_condition(text, globs) -%}
    {%- set plain, patterns = [], [] -%}
    {%- for glob in globs -%}
        {%- if '*' in glob or '?' in glob -%}
            {%- do patterns.append(modules.re.escape(glob) | replace('\\*', '.*') | replace('\\?', '.')) -%}
        {%- else -%}
            {%- do plain.append(kafka_cdc.sql_literal(glob) | trim) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set conditions = [] -%}
    {%- if plain %}{% do conditions.append(text ~ ' in (' ~ plain | join(', ') ~ ')') %}{% endif -%}
    {%- if patterns %}{% do conditions.append(text ~ ' rlike ' ~ kafka_cdc.sql_literal('(?s)^(?:' ~ patterns | join('|') ~ ')\\z') | trim) %}{% endif -%}
    {{ '(' ~ conditions | join(' or ') ~ ')' if conditions | length > 1 else conditions[0] }}
{%- endmacro %}
