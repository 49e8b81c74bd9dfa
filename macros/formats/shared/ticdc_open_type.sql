{#
  Prints an expression: the type of a column of TiCDC's open protocol, as MySQL names it.

  A code without a name stays a number.

  Requires: the lambda variable `one`, a column with its type `t` and its flags `f`.
#}
{% macro ticdc_open_type() -%}
    {%- set names = {
        '1': 'tinyint',
        '2': 'smallint',
        '3': 'int',
        '4': 'float',
        '5': 'double',
        '7': 'timestamp',
        '8': 'bigint',
        '9': 'mediumint',
        '10': 'date',
        '11': 'time',
        '12': 'datetime',
        '13': 'year',
        '14': 'date',
        '16': 'bit',
        '225': 'vector',
        '245': 'json',
        '246': 'decimal',
        '247': 'enum',
        '248': 'set',
    } -%}
    {%- set texts = {
        '15': ['varchar', 'varbinary'],
        '249': ['tinytext', 'tinyblob'],
        '250': ['mediumtext', 'mediumblob'],
        '251': ['longtext', 'longblob'],
        '252': ['text', 'blob'],
        '253': ['varchar', 'varbinary'],
        '254': ['char', 'binary'],
    } -%}
    concat(
        case one.t
            {%- for code, name in names.items() %}
            when '{{ code }}' then '{{ name }}'
            {%- endfor %}
            {%- for code, pair in texts.items() %}
            when '{{ code }}' then if(try_cast(one.f as int) & 1 = 1, '{{ pair[1] }}', '{{ pair[0] }}')
            {%- endfor %}
            else one.t
        end,
        if(
            one.t in ('1', '2', '3', '4', '5', '8', '9', '246') and try_cast(one.f as int) & 128 <> 0,
            ' unsigned',
            ''
        )
    )
{%- endmacro %}
