{#
  Prints an expression: the type of a value of a MongoDB document from its typed JSON text.

  The names are those of decode_extended_json, and also timestamp, array and object. The result is
  null for null.

  Arguments:
    text (string): SQL of the text.
#}
{% macro extended_json_type(text) -%}
    {%- set names = {
        'oid': 'objectid',
        'date': 'date',
        'numberL': 'long',
        'numberI': 'int',
        'numberDo': 'double',
        'numberDe': 'decimal',
        'binary': 'bindata',
        'uuid': 'uuid',
        'timestamp': 'timestamp',
    } -%}
    case
        when {{ text }} like '"%' then 'string'
        when {{ text }} in ('true', 'false') then 'bool'
        when {{ text }} rlike r'^-?[0-9]+\z' then if(try_cast({{ text }} as int) is null, 'long', 'int')
        when {{ text }} rlike '^-?[0-9]' then 'double'
        {%- for beginning, type in names.items() %}
        when {{ text }} like '{"${{ beginning }}%' then '{{ type }}'
        {%- endfor %}
        when {{ text }} like '[%' then 'array'
        when {{ text }} is not null then 'object'
    end
{%- endmacro %}
