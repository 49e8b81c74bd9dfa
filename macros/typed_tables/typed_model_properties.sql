{# Prints the yml of a typed model: what the model and each of its columns is, and the test that reports what could not be decoded. #}
{% macro typed_model_properties(name, stream, columns) -%}
{%- set package = kafka_cdc.get_package_prefix() -%}
{%- set about = 'One row per live row of ' ~ stream.path ~ ' (' ~ stream.key | join(', ') ~ '), of the source ' ~ stream.tables.source_name
    ~ ', typed. A value that does not fit its type is null here and stands in undecoded.' -%}
models:
  - name: {{ name }}
    description: {{ kafka_cdc.get_quoted_string(kafka_cdc.get_escaped_jinja(about)) }}
    data_tests:
      - {{ package }}values_are_decoded
    columns:
    {%- for column in columns %}
      {%- set said = ['Key.'] if column.is_key else [] -%}
      {%- if column.source_type %}{% do said.append("The source's type: " ~ column.source_type ~ '.') %}{% endif -%}
      {%- if column.remark %}{% do said.append('Text, as ' ~ column.remark ~ '.') %}{% endif %}
      - {name: {{ kafka_cdc.get_quoted_string(kafka_cdc.get_escaped_jinja(column.typed_name)) }}, data_type: {{ kafka_cdc.get_quoted_string(column.spark_type) }}, description: {{ kafka_cdc.get_quoted_string(kafka_cdc.get_escaped_jinja(said | join(' '))) }}}
    {%- endfor %}
      - {name: "undecoded", data_type: "map<string, struct<text: string, reason: string>>", description: "Source column to the text that does not fit its type, and why; empty where all fit."}
{%- endmacro %}
