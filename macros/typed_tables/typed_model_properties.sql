{#
  Prints the yml of a typed model.

  It describes the model and each column, and adds the test values_are_decoded, which reports values
  that could not be decoded.

  Arguments:
    name (string): the name of the model.
    stream (dict[string, any]): the stream, see get_table_stream.
    columns (list[dict[string, any]]): its columns, see get_typed_columns.
#}
{% macro typed_model_properties(name, stream, columns) -%}
{%- set package = kafka_cdc.get_package_prefix() -%}
{%- set description = 'One row per live row of ' ~ stream.path ~ ' (' ~ stream.key | join(', ') ~ '), '
    ~ 'of the source ' ~ stream.tables.source_name ~ ', typed. '
    ~ 'A value that does not fit its type is null here and is listed in undecoded.' -%}
{%- set undecoded = 'Source column to the text that does not fit its type, and the reason. Empty if all values fit.' -%}
models:
  - name: {{ name }}
    description: {{ kafka_cdc._yml_text(description) }}
    data_tests:
      - {{ package }}values_are_decoded
    columns:
    {%- for column in columns %}
      {{ kafka_cdc._column_properties(column.typed_name, column.spark_type, kafka_cdc.get_column_description(column)) }}
    {%- endfor %}
      {{ kafka_cdc._column_properties('undecoded', 'map<string, struct<text: string, reason: string>>', undecoded) }}
{%- endmacro %}

{# Prints the line of one column. #}
{% macro _column_properties(name, spark_type, description) -%}
    {%- set name = kafka_cdc._yml_text(name) -%}
    {%- set type = kafka_cdc.get_quoted_string(spark_type) -%}
    {%- set description = kafka_cdc._yml_text(description) -%}
    - {name: {{ name }}, data_type: {{ type }}, description: {{ description }}}
{%- endmacro %}

{# Prints a text as a YAML string in a file that dbt renders. #}
{% macro _yml_text(text) -%}
    {{ kafka_cdc.get_quoted_string(kafka_cdc.get_escaped_jinja(text)) }}
{%- endmacro %}
