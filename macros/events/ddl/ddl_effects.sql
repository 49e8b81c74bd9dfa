{#
  Prints an expression: what a DDL statement may do to rows without events for them, array<string>.

  Each element completes the sentence "the statement …". The array is empty if there is none.
  The words of the statement decide. A quoted name or value counts as one word.
  Databases differ in which statements rewrite rows, so every statement that may do so is reported.

  Example: ALTER TABLE t DROP c, ADD d int DEFAULT '7' gives
  ['adds a column with a value', 'drops a column'].

  Arguments:
    statement (string): SQL of the statement, see ddl_statement.
#}
{% macro ddl_effects(statement) -%}
    {%- set not_a_column = '(?!(?:index|key|constraint|primary|unique|foreign|check|fulltext|spatial'
        ~ '|(?:sub)?partition|default|not|identity|period|supplemental)\\b)' -%}

    {%- set column_with_value = 'alter\\b(?>.*?\\badd\\s++' ~ not_a_column ~ ')'
        ~ '.*?\\b(?:default\\s+(?!null\\b)|not\\s+null\\b|generated\\b|auto_increment\\b|identity\\b'
        ~ '|(?:small|big)?serial\\b)' -%}
    {%- set column_type = 'alter\\b.*?\\b(?:modify|change)\\s+' ~ not_a_column ~ '\\S'
        ~ '|alter\\b.*?\\bconvert\\s+to\\b'
        ~ '|alter\\b.*?\\balter\\s+(?:column\\s+)?\\S+\\s+(?:set\\s+data\\s+)?type\\b'
        ~ '|alter\\b.*?\\balter\\s+column\\s+\\S+\\s+(?!set\\b|drop\\b|add\\b|reset\\b|restart\\b|type\\b)\\w' -%}
    {%- set partition = 'alter\\b.*?\\b(?:drop|truncate|exchange|detach|attach|discard|import)'
        ~ '\\s+(?:sub)?partition\\b' -%}

    {%- set effects = {
        'adds a column with a value': column_with_value,
        'drops a column': 'alter\\b.*?\\bdrop\\s+' ~ not_a_column ~ '\\S',
        'changes the type of a column': column_type,
        'renames a column': 'alter\\b.*?\\brename\\s+column\\b',
        'empties or moves a partition': partition,
        'changes rows itself': '(?:insert|update|delete|replace|merge|load)\\b',
    } -%}

    {#- Each quoted name or value becomes the letter q, so that no word inside it counts. -#}
    {%- set quoted -%}
    (?s)\x27(?:[^\x27\\]|\\.|\x27\x27)*+\x27|"[^"]*+"|`[^`]*+`|\[[^\]]*+\]
    {%- endset -%}
    {%- set words = 'regexp_replace(' ~ statement ~ ", r'" ~ quoted ~ "', 'q')" -%}

    array_compact(array(
        {%- for effect, pattern in effects.items() %}
        if({{ words }} rlike r'(?is)^(?:{{ pattern }})', '{{ effect }}', null){{ ',' if not loop.last }}
        {%- endfor %}
    ))
{%- endmacro %}
