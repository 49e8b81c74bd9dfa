{#
  Prints a condition: a row belongs to the source table of a typed table, or to one of its shards.

  Arguments:
    stream (dict[string, any]): the table, from find_published_table.

  Requires: the columns of get_table_columns.
#}
{% macro stream_condition(stream) -%}
    {%- set conditions = [] -%}
    {%- for shard in stream.shards -%}
        {%- do conditions.append(kafka_cdc.table_condition(shard.tables)) -%}
    {%- endfor -%}
    {{- conditions[0] if conditions | length == 1 else '(' ~ conditions | join(' or ') ~ ')' -}}
{%- endmacro %}
