{#
  Prints an expression: what a DDL statement does, from its first words.

  The result is create, alter, drop, rename, index, truncate or other. It is null without a
  statement. Only a DROP of tables, of a database or of a schema is `drop`. Dropping a view, a
  procedure or a user removes no rows. Neither does dropping a temporary table, whose name may equal
  that of a table.

  Arguments:
    statement (string): SQL of the statement, see ddl_statement.
#}
{% macro ddl_operation(statement) -%}
    {%- set drop = '(?i)^drop\\s+(?:(?:foreign\\s+)?tables?\\b|schema\\b'
        ~ '|database\\b(?!\\s+(?:link|scoped|audit|encryption)\\s+\\S))' -%}
    case
        when {{ statement }} is null then null
        when {{ statement }} rlike r'(?i)^(?:create|drop|alter)\b[^(]*?\bindex\b'
            and not {{ statement }} rlike r'(?i)^\w+\s+(?:\w+\s+){0,4}?table\b' then 'index'
        when {{ statement }} rlike r'(?is)^alter\s+(?:\w+\s+){0,4}?table\b.*?\brename\s+(?:to|as)\b' then 'rename'
        when {{ statement }} rlike r'{{ drop }}' then 'drop'
        when {{ statement }} rlike r'(?i)^(?:create|alter|rename|truncate)\b'
            then lower(regexp_extract({{ statement }}, r'^(\w+)', 1))
        else 'other'
    end
{%- endmacro %}
