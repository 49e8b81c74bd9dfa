{#
  Prints SQL for what a DDL statement (of ddl_statement) does, from its first words: create, alter, drop, rename, index,
  truncate, or other; null without a statement. A drop is one of tables, or of a database or schema: that of a view, a procedure,
  a user … takes no rows, nor does that of a temporary table, whose name a table may share.
#}
{% macro ddl_operation(statement) -%}
    case
        when {{ statement }} is null then null
        when {{ statement }} rlike r'(?i)^(?:create|drop|alter)\b[^(]*?\bindex\b' and not {{ statement }} rlike r'(?i)^\w+\s+(?:\w+\s+){0,4}?table\b' then 'index'
        when {{ statement }} rlike r'(?is)^alter\s+(?:\w+\s+){0,4}?table\b.*?\brename\s+(?:to|as)\b' then 'rename'
        when {{ statement }} rlike r'(?i)^drop\s+(?:(?:foreign\s+)?tables?\b|schema\b|database\b(?!\s+(?:link|scoped|audit|encryption)\s+\S))' then 'drop'
        when {{ statement }} rlike r'(?i)^(?:create|alter|rename|truncate)\b' then lower(regexp_extract({{ statement }}, r'^(\w+)', 1))
        else 'other'
    end
{%- endmacro %}
