{#
  Prints SQL for the names that a DDL statement (of ddl_statement) touches, in its order: an array of structs of the parts of
  the name and of the name it is renamed to (empty where it is not). Empty where the statement names none.
  targets: the names that the message lists beside the statement, as the database has them: for messages without a statement, and for a DROP
  or TRUNCATE of tables; a whole database ends in a dot. Reads source_table.
#}
{% macro ddl_names(statement, targets) -%}
    {%- set name = kafka_cdc.get_sql_name_pattern() -%}
    {%- set target = name ~ '(?:\\s+to\\s+' ~ name ~ ')?' -%}
    {%- set statements = ['create(?:\\s+or\\s+replace)?(?:\\s+\\w+)?\\s+table', '(?:alter|drop)(?:\\s+\\w+){0,4}?\\s+tables?', 'rename\\s+tables?',
        'truncate(?:\\s+table)?', '(?:create(?:\\s+or\\s+replace)?|drop|alter)\\s+(?:database|schema)', '(?:create|drop|alter)\\b[^(]*?\\bindex\\b[^(]*?\\bon'] -%}
    {%- set head = '(?is)^(?:' ~ statements | join('|') ~ ')(?:\\s+only)?(?:\\s+if\\s+(?:not\\s+)?exists)?(?:\\s+only)?\\s+' -%}
    {%- set not_a_table = '(?!(?:column|index|key|constraint|partition|attribute|value)\\b)' -%}
    {%- set renamed = '(?is)^alter\\b.*?\\brename\\s+' ~ not_a_table ~ '(?:(?:to|as)\\s+)?(' ~ name ~ ')' -%}
    transform(
        coalesce(
            if(size({{ targets }}) > 0 and {{ statement }} rlike r'(?i)^(?:drop\s+(?:\w+\s+)?tables?|truncate)\b', {{ targets }}, null),
            regexp_extract_all(
                regexp_extract({{ statement }}, r'{{ head }}({{ target }}(?:\s*,\s*{{ target }})*+)', 1),
                r'(?is){{ target }}',
                0
            ),
            {{ targets }}
        ),
        target -> struct(
            concat({{ kafka_cdc._name_parts("regexp_extract(target, r'^(" ~ name ~ ")', 1)", statement) }}, if(endswith(target, '.'), array(''), array())) as old_parts,
            {{ kafka_cdc._name_parts("concat(regexp_extract(target, r'(?is)\\s+to\\s+(" ~ name ~ ")$', 1), coalesce(regexp_extract(" ~ statement ~ ", r'" ~ renamed ~ "', 1), ''))", statement) }} as new_parts
        )
    )
{%- endmacro %}

{#
  Prints SQL for the parts of a dotted name, without their quotes; a part without quotes in upper or lower case where the statement names
  the message's own table so that only the case differs: the database writes all such names like that.
#}
{% macro _name_parts(name, statement) -%}
    {%- set words = "regexp_extract_all(" ~ statement ~ ", r'" ~ kafka_cdc.get_sql_name_pattern(1) ~ "', 0)" -%}
    transform(regexp_extract_all({{ name }}, r'{{ kafka_cdc.get_sql_name_pattern(1) }}', 0), part -> case
        when part rlike r'^[`"\[]' then regexp_replace(part, r'^[`"\[]|[`"\]]$', '')
        when array_contains({{ words }}, source_table) then part
        when array_contains(transform({{ words }}, word -> upper(word)), source_table) then upper(part)
        when array_contains(transform({{ words }}, word -> lower(word)), source_table) then lower(part)
        else part
    end)
{%- endmacro %}
