{#
  Prints an expression: the names in a DDL statement, in their order, as an array of structs.

  Each struct has old_parts, the parts of the name, and new_parts, the parts of its new name. If the
  name is not renamed, new_parts is empty.

  Example: RENAME TABLE a TO b, c TO d.e gives
  [(old_parts: [a], new_parts: [b]), (old_parts: [c], new_parts: [d, e])].

  Arguments:
    statement (string): SQL of the statement, see ddl_statement.
    targets (string): SQL of the names that the message lists next to the statement, array<string>.
      They are in the database's own spelling. A whole database ends with a dot. They count if there
      is no statement, and for a DROP or TRUNCATE of tables.

  Requires: the column `source_table`.
#}
{% macro ddl_names(statement, targets) -%}
    {%- set name = kafka_cdc.get_sql_name_pattern() -%}
    {%- set target = name ~ '(?:\\s+to\\s+' ~ name ~ ')?' -%}

    {#- The words before the first name. -#}
    {%- set statements = [
        'create(?:\\s+or\\s+replace)?(?:\\s+\\w+)?\\s+table',
        '(?:alter|drop)(?:\\s+\\w+){0,4}?\\s+tables?',
        'rename\\s+tables?',
        'truncate(?:\\s+table)?',
        '(?:create(?:\\s+or\\s+replace)?|drop|alter)\\s+(?:database|schema)',
        '(?:create|drop|alter)\\b(?>[^(]*?\\bindex\\b)[^(]*?\\bon',
    ] -%}
    {%- set head = '(?is)^(?:' ~ statements | join('|') ~ ')'
        ~ '(?:\\s+only)?(?:\\s+if\\s+(?:not\\s+)?exists)?(?:\\s+only)?\\s+' -%}

    {#- ALTER TABLE … RENAME TO: the new name follows later in the statement. -#}
    {%- set not_a_table = '(?!(?:column|index|key|constraint|partition|attribute|value)\\b)' -%}
    {%- set renamed = '(?is)^alter\\b.*?\\brename\\s+' ~ not_a_table ~ '(?:(?:to|as)\\s+)?(' ~ name ~ ')' -%}

    {%- set old_name = "regexp_extract(target, r'^(" ~ name ~ ")', 1)" -%}
    {%- set new_name -%}
    concat(
                regexp_extract(target, r'(?is)\s+to\s+({{ name }})$', 1),
                coalesce(regexp_extract({{ statement }}, r'{{ renamed }}', 1), '')
            )
    {%- endset -%}

    {%- set names -%}
    transform(
        coalesce(
            if(
                size({{ targets }}) > 0
                and {{ statement }} rlike r'(?i)^(?:drop\s+(?:\w+\s+)?tables?|truncate)\b',
                {{ targets }},
                null
            ),
            regexp_extract_all(
                regexp_extract({{ statement }}, r'{{ head }}({{ target }}(?:\s*,\s*{{ target }})*+)', 1),
                r'(?is){{ target }}',
                0
            ),
            {{ targets }}
        ),
        target -> struct(
            concat(
                {{ kafka_cdc._name_parts(old_name) | indent(12) }},
                if(endswith(target, '.'), array(''), array())
            ) as old_parts,
            {{ kafka_cdc._name_parts(new_name) | indent(8) }} as new_parts
        )
    )
    {%- endset -%}

    {#- The words are compared once per statement, not once per name: a DROP may have thousands of names. -#}
    {%- set spelling -%}
    case
        when array_contains(words, source_table) then 'same'
        when array_contains(transform(words, word -> upper(word)), source_table) then 'upper'
        when array_contains(transform(words, word -> lower(word)), source_table) then 'lower'
    end
    {%- endset -%}
    {{ kafka_cdc.sql_let({
        'words': 'regexp_extract_all(' ~ statement ~ ", r'" ~ kafka_cdc.get_sql_name_pattern(1) ~ "', 0)",
        'spelling': spelling,
    }, names) }}
{%- endmacro %}

{#
  Prints an expression: the parts of a dotted name, without their quotes.

  A part without quotes may be spelled otherwise than in the database. If the statement names the
  message's own table, and that spelling differs in case only, the database folds unquoted names to
  that case. Then the part is folded to the same case.
#}
{% macro _name_parts(name) -%}
    transform(regexp_extract_all({{ name }}, r'{{ kafka_cdc.get_sql_name_pattern(1) }}', 0), part -> case
        when part like '`%' then replace(substring(part, 2, length(part) - 2), '``', '`')
        when part like '"%' then replace(substring(part, 2, length(part) - 2), '""', '"')
        when part like '[%' then substring(part, 2, length(part) - 2)
        when spelling = 'upper' then upper(part)
        when spelling = 'lower' then lower(part)
        else part
    end)
{%- endmacro %}
