{#
  Prints SQL for the tables that a DDL text touches, an array of get_ddl_table_type(), empty where the text names none.
  A part that the text leaves out comes from the message (database, schema); two parts are schema.table where the message has
  a schema, else database.table. Several tables of one DROP, TRUNCATE or RENAME come in the statement's order.
#}
{% macro ddl_tables(ddl_text, database, schema) -%}
    {%- set name = get_sql_name_pattern() -%}
    {%- set head = '(?is)^(?:create(?:\\s+or\\s+replace)?(?:\\s+\\w+)?\\s+table|(?:alter|drop)(?:\\s+\\w+)*?\\s+table|rename\\s+tables?'
        ~ '|truncate(?:\\s+table)?|(?:create|drop|alter)\\s+(?:database|schema)|(?:create|drop|alter)\\b[^(]*?\\bindex\\b[^(]*?\\bon)'
        ~ '(?:\\s+only)?(?:\\s+if\\s+(?:not\\s+)?exists)?(?:\\s+only)?\\s+' -%}
    {%- set target = name ~ '(?:\\s+to\\s+' ~ name ~ ')?' -%}
    {%- set renamed = '(?is)^alter\\b.*?\\brename\\s+(?!(?:column|index|key|constraint|partition|attribute|value)\\b)(?:(?:to|as)\\s+)?('
        ~ name ~ ')' -%}
    {%- set part = get_sql_name_pattern(1) -%}
    {%- set parts = "transform(regexp_extract_all({}, r'" ~ part ~ "', 0), part -> regexp_replace(part, r'^[`\"\\[]|[`\"\\]]$', ''))" -%}
    flatten(transform(
        array({{ ddl_statement(ddl_text) }}),
        statement -> transform(
            regexp_extract_all(
                regexp_extract(statement, r'{{ head }}({{ target }}(?:\s*,\s*{{ target }})*)', 1), r'(?is){{ target }}', 0
            ),
            target -> {{ _ddl_table(
                'statement',
                parts.replace('{}', "regexp_extract(target, r'^(" ~ name ~ ")', 1)"),
                parts.replace('{}', "concat(regexp_extract(target, r'(?is)\\s+to\\s+(" ~ name ~ ")$', 1), regexp_extract(statement, r'" ~ renamed ~ "', 1))"),
                database, schema
            ) }}
        )
    ))
{%- endmacro %}

{# Prints SQL for one get_ddl_table_type() from the parts of its name and of its new name. #}
{% macro _ddl_table(statement, parts, new_parts, database, schema) -%}
    element_at(transform(
        array(struct(
            {{ parts }} as old, {{ new_parts }} as new,
            {{ statement }} rlike r'(?i)^\w+\s+database\b' or {{ statement }} rlike r'(?i)^\w+\s+schema\b' and {{ schema }} = '' as of_database,
            {{ statement }} rlike r'(?i)^\w+\s+schema\b' and {{ schema }} <> '' as of_schema
        )),
        names -> struct(
            if(size(names.new) > 0, 'rename', {{ ddl_operation(statement) }}) as operation,
            {%- for names, prefix in [('names.old', ''), ('names.new', 'new_')] %}
            {%- set unsaid = "if(size(names.new) > 0, {}, '')" if prefix else '{}' %}
            case
                when names.of_database then element_at({{ names }}, 1)
                when size({{ names }}) = 3 or size({{ names }}) = 2 and {{ schema }} = '' then {{ names }}[0]
                else {{ unsaid.replace('{}', database) }}
            end as {{ prefix }}database,
            case
                when names.of_database then ''
                when names.of_schema then element_at({{ names }}, -1)
                when size({{ names }}) = 3 then {{ names }}[1]
                when size({{ names }}) = 2 and {{ schema }} <> '' then {{ names }}[0]
                else {{ unsaid.replace('{}', schema) }}
            end as {{ prefix }}schema,
            if(names.of_database or names.of_schema or size({{ names }}) = 0, '', element_at({{ names }}, -1)) as {{ prefix }}table
            {{- ',' if not loop.last }}
            {%- endfor %}
        )
    ), 1)
{%- endmacro %}
