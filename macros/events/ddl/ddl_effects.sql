{#
  Prints SQL for what a statement (of ddl_statement) may do to rows without saying so, an array of sentences' ends: empty where nothing. Told
  by its words: what stands in quotes counts as one name or value. Databases differ in what they rewrite, so a statement that may is named.
#}
{% macro ddl_effects(statement) -%}
    {%- set not_a_column = '(?!(?:index|key|constraint|primary|unique|foreign|check|fulltext|spatial|(?:sub)?partition|default|not|identity|period|supplemental)\\b)' -%}
    {%- set effects = {
        'adds a column with a value': 'alter\\b.*?\\badd\\s+' ~ not_a_column ~ '.*?\\b(?:default\\s+(?!null\\b)|not\\s+null\\b|generated\\b|auto_increment\\b|identity\\b|(?:small|big)?serial\\b)',
        'drops a column': 'alter\\b.*?\\bdrop\\s+' ~ not_a_column ~ '\\S',
        'changes the type of a column': 'alter\\b.*?\\b(?:modify|change)\\s+' ~ not_a_column ~ '\\S|alter\\b.*?\\bconvert\\s+to\\b|alter\\b.*?\\balter\\s+(?:column\\s+)?\\S+\\s+(?:set\\s+data\\s+)?type\\b'
            ~ '|alter\\b.*?\\balter\\s+column\\s+\\S+\\s+(?!set\\b|drop\\b|add\\b|reset\\b|restart\\b|type\\b)\\w',
        'renames a column': 'alter\\b.*?\\brename\\s+column\\b',
        'empties or moves a partition': 'alter\\b.*?\\b(?:drop|truncate|exchange|detach|attach|discard|import)\\s+(?:sub)?partition\\b',
        'changes rows itself': '(?:insert|update|delete|replace|merge|load)\\b',
    } -%}
    {%- set words = 'regexp_replace(' ~ statement ~ ", r'(?s)\\x27(?:[^\\x27\\\\]|\\\\.|\\x27\\x27)*+\\x27|\"[^\"]*+\"|`[^`]*+`|\\[[^\\]]*+\\]', 'q')" -%}
    array_compact(array(
        {%- for effect, pattern in effects.items() %}
        if({{ words }} rlike r'(?is)^(?:{{ pattern }})', '{{ effect }}', null){{ ',' if not loop.last }}
        {%- endfor %}
    ))
{%- endmacro %}
