{#
  Prints SQL for the type of a value of a document, as decode_extended_json names them, from its typed JSON text: beside its types
  timestamp, array and object; null for null.
#}
{% macro extended_json_type(text) -%}
    {%- set names = {'oid': 'objectid', 'date': 'date', 'numberL': 'long', 'numberI': 'int', 'numberDo': 'double', 'numberDe': 'decimal',
                     'binary': 'bindata', 'uuid': 'uuid', 'timestamp': 'timestamp'} -%}
    case
        when {{ text }} like '"%' then 'string'
        when {{ text }} in ('true', 'false') then 'bool'
        when {{ text }} rlike r'^-?[0-9]+\z' then if(try_cast({{ text }} as int) is null, 'long', 'int')
        when {{ text }} rlike '^-?[0-9]' then 'double'
        {%- for begin, type in names.items() %}
        when {{ text }} like '{"${{ begin }}%' then '{{ type }}'
        {%- endfor %}
        when {{ text }} like '[%' then 'array'
        when {{ text }} is not null then 'object'
    end
{%- endmacro %}
