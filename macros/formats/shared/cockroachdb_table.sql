{#
  Prints an expression: the table of a changefeed's message that names its source.

  The topic of a column family is <table>.<family>, and the source has the table only.

  Requires: columns `kafka_topic` and `source` with `table_name`.
#}
{% macro cockroachdb_table() -%}
{%- set last_part = "substring_index(kafka_topic, '.', -1)" -%}
{%- set family_table = "concat(source.table_name, '.', " ~ last_part ~ ')' -%}
if(
    endswith(kafka_topic, {{ family_table }}) and {{ last_part }} <> source.table_name,
    {{ family_table }},
    source.table_name
)
{%- endmacro %}
