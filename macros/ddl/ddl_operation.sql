{#
  Prints SQL for what a DDL text does, from its first words, comments apart: create, alter, drop, rename, index, truncate,
  or other.
#}
{% macro ddl_operation(ddl_text) -%}
    element_at(
        transform(
            array(lower({{ ddl_statement(ddl_text) }})),
            statement -> case
                when statement rlike r'^(?:create|drop|alter)\b[^(]*?\bindex\b' and not statement rlike r'^\w+\s+(?:\w+\s+)*?table\b' then 'index'
                when statement rlike r'^alter\s+(?:\w+\s+)*?table\b.*?\brename\s+(?:to|as)\b' then 'rename'
                when statement rlike r'^(?:create|alter|drop|rename|truncate)\b' then regexp_extract(statement, r'^(\w+)', 1)
                else 'other'
            end
        ),
        1
    )
{%- endmacro %}
