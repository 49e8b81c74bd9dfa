{#
  Prints a condition: a whole text matches one of the globs.

  `*` stands for any text and `?` for one character. Globs without either become an IN list,
  which lets the table format skip files. has_glob_match applies the same rule in Jinja.

  Arguments:
    text (string): SQL of the text.
    globs (list[string]): the globs, at least one.
#}
{% macro globs_condition(text, globs) -%}
    {%- set names = [] -%}
    {#- A prefix is cheaper than a regular expression, for each message. -#}
    {%- set prefixes = [] -%}
    {%- set patterns = [] -%}
    {%- for glob in globs -%}
        {%- if glob.endswith('*') and '*' not in glob[:-1] and '?' not in glob -%}
            {%- do prefixes.append('startswith(' ~ text ~ ', ' ~ kafka_cdc.sql_literal(glob[:-1]) ~ ')') -%}
        {%- elif '*' in glob or '?' in glob -%}
            {%- do patterns.append(modules.re.escape(glob) | replace('\\*', '.*') | replace('\\?', '.')) -%}
        {%- else -%}
            {%- do names.append(kafka_cdc.sql_literal(glob)) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- set conditions = [] -%}
    {%- if names -%}
        {%- do conditions.append(text ~ ' in (' ~ names | join(', ') ~ ')') -%}
    {%- endif -%}
    {%- do conditions.extend(prefixes) -%}
    {%- if patterns -%}
        {%- set pattern = '(?s)^(?:' ~ patterns | join('|') ~ ')\\z' -%}
        {%- do conditions.append(text ~ ' rlike ' ~ kafka_cdc.sql_literal(pattern)) -%}
    {%- endif -%}

    {{ '(' ~ conditions | join(' or ') ~ ')' if conditions | length > 1 else conditions[0] }}
{%- endmacro %}
