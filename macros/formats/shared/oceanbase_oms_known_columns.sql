{#
  Prints an expression: a row of an update or delete without the columns whose values it may lack.

  OceanBase writes null for a large value (all TEXT types, JSON, GIS, XML, UDT) that an update did not
  change, in both images. It may also write null for the value before of one that it changed. A null
  is a value if the column had another value before, is a key, or has a small type.

  Arguments:
    row (string): SQL of the row, map<string, string>.
    key_columns (string): SQL of the key columns, array<string>.
    types (string): SQL of the types of the columns, map<string, string>.
    previous (string): SQL of the values before the update, map<string, string>.
#}
{% macro oceanbase_oms_known_columns(row, key_columns, types='null', previous='null') -%}
    {%- set conditions = ['text is not null', 'coalesce(array_contains(' ~ key_columns ~ ', name), false)'] -%}
    {%- if types != 'null' -%}
        {%- set large = "r'(?i)text|lob|json|xml|udt|geo|point|line|polygon|object|array|vector'" -%}
        {%- do conditions.append(
            'coalesce(not try_element_at(' ~ types ~ ', name) rlike ' ~ large ~ ', false)'
        ) -%}
    {%- endif -%}
    {%- if previous != 'null' -%}
        {%- do conditions.append('try_element_at(' ~ previous ~ ', name) is not null') -%}
    {%- endif -%}
    map_filter({{ row }}, (name, text) -> {{ conditions | join(' or ') }})
{%- endmacro %}
