{#
  Returns the description of a typed column: whether it is a key, its name and type in the source,
  why it is text.

  Arguments:
    column (dict[string, any]): the column, see get_typed_columns.
#}
{% macro get_column_description(column) %}
    {%- set sentences = ['Key.'] if column.is_key else [] -%}
    {%- if column.typed_name != column.name -%}
        {%- do sentences.append('In the source: ' ~ column.name ~ '.') -%}
    {%- endif -%}
    {%- if column.source_type -%}
        {%- do sentences.append("The source's type: " ~ column.source_type ~ '.') -%}
    {%- endif -%}
    {%- if column.remark -%}
        {%- do sentences.append('Text, because ' ~ column.remark ~ '.') -%}
    {%- endif -%}
    {{ return(sentences | join(' ')) }}
{% endmacro %}
