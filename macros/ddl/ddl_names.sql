{#
  Prints SQL for the names that a DDL statement (of ddl_statement) touches, in its order: an array of structs of the parts of
  the name and of the name it is renamed to (empty where it is not). Empty where the statement names none.
  targets: the names that the message lists beside the statement, for messages without one; a whole database ends in a dot.
#}
{% macro ddl_names(statement, targets) -%}
    {%- set name = get_sql_name_pattern() -%}
    {%- set target = name ~ '(?:\\s+to\\s+' ~ name ~ ')?' -%}
    {%- set statements = ['create(?:\\s+or\\s+replace)?(?:\\s+\\w+)?\\s+table', '(?:alter|drop)(?:\\s+\\w+){0,4}?\\s+table', 'rename\\s+tables?',
        'truncate(?:\\s+table)?', '(?:create|drop|alter)\\s+(?:database|schema)', '(?:create|drop|alter)\\b[^(]*?\\bindex\\b[^(]*?\\bon'] -%}
    {%- set head = '(?is)^(?:' ~ statements | join('|') ~ ')(?:\\s+only)?(?:\\s+if\\s+(?:not\\s+)?exists)?(?:\\s+only)?\\s+' -%}
    {%- set not_a_table = '(?!(?:column|index|key|constraint|partition|attribute|value)\\b)' -%}
    {%- set renamed = '(?is)^alter\\b.*?\\brename\\s+' ~ not_a_table ~ '(?:(?:to|as)\\s+)?(' ~ name ~ ')' -%}
    transform(
        coalesce(
            regexp_extract_all(
                regexp_extract({{ statement }}, r'{{ head }}({{ target }}(?:\s*,\s*{{ target }})*+)', 1),
                r'(?is){{ target }}',
                0
            ),
            {{ targets }}
        ),
        target -> struct(
            concat({{ _name_parts("regexp_extract(target, r'^(" ~ name ~ ")', 1)") }}, if(endswith(target, '.'), array(''), array())) as old_parts,
            {{ _name_parts("concat(regexp_extract(target, r'(?is)\\s+to\\s+(" ~ name ~ ")$', 1), coalesce(regexp_extract(" ~ statement ~ ", r'" ~ renamed ~ "', 1), ''))") }} as new_parts
        )
    )
{%- endmacro %}

{# Prints SQL for the parts of a dotted name, without their quotes. #}
{% macro _name_parts(name) -%}
    transform(regexp_extract_all({{ name }}, r'{{ get_sql_name_pattern(1) }}', 0), part -> regexp_replace(part, r'^[`"\[]|[`"\]]$', ''))
{%- endmacro %}
