{#
  Prints a column's name, quoted unless it is a plain lower-case word that is no keyword.

  Arguments:
    name (string): the name.
#}
{% macro quoted_column_name(name) -%}
    {%- set keywords = [
        'all', 'and', 'as', 'by', 'case', 'cross', 'current', 'date', 'delete', 'desc', 'distinct', 'end', 'false',
        'from', 'full', 'group', 'having', 'in', 'inner', 'insert', 'interval', 'is', 'join', 'left', 'like', 'not',
        'null', 'on', 'or', 'order', 'right', 'row', 'select', 'set', 'table', 'then', 'time', 'timestamp', 'to',
        'true', 'union', 'update', 'user', 'using', 'values', 'when', 'where', 'with',
    ] -%}
    {%- if modules.re.match('[a-z_][a-z0-9_]*\\Z', name) and name not in keywords -%} {{ name }}
    {%- else -%} `{{ name | replace('`', '``') }}`
    {%- endif -%}
{%- endmacro %}
