{#
  Prints a typed model of one source table over current_state, and its yml.

  The types come from the messages of the stream, or from the setting `tables`. The macro is for
  run-operation. With `dbt --quiet` nothing else is on stdout.

  Arguments:
    table (string): database[.schema].table.
    source (optional[string]): the stream, if several have such a table.
    tenant (optional[string]): the tenant, if several have such a table.
    name (optional[string]): the name of the model. By default the table's name.
    part (optional[string]): `model` or `yml`, to print only that.
#}
{% macro generate_table_model(table=none, source=none, tenant=none, name=none, part=none) %}
    {%- do kafka_cdc.check_arguments(
        operation='generate_table_model',
        arguments={
            'table': table,
            'source': source,
            'tenant': tenant,
            'name': name,
            'part': part,
        },
        unknown=kwargs,
        required=['table'],
        example='{table: inventory.customers}'
    ) -%}

    {%- if part not in [none, 'model', 'yml'] -%}
        {{ kafka_cdc.raise_error(
            'part is ' ~ tojson(part),
            'valid values are model and yml; without part both are printed'
        ) }}
    {%- endif -%}

    {%- if execute -%}
        {%- set stream = kafka_cdc.get_table_stream(table=table, source=source, tenant=tenant, of_rows=false) -%}
        {%- set columns = kafka_cdc.get_typed_columns(stream) -%}

        {%- set words = modules.re.sub('\\W+', '_', table | lower, flags=modules.re.ASCII) -%}
        {%- set name = name or words.strip('_') or 'typed_table' -%}
        {%- set path = 'models/typed/' ~ name -%}

        {%- if part != 'yml' -%}
            {{ print(kafka_cdc.typed_model(stream, columns) | trim) }}
        {%- endif -%}
        {%- if part is none -%}
            {{ print('\n# The model above is for ' ~ path ~ '.sql, this for ' ~ path ~ '.yml') }}
        {%- endif -%}
        {%- if part != 'model' -%}
            {{ print(kafka_cdc._typed_model_properties(name, stream, columns) | trim) }}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}

{#
  Prints the yml of a typed model.

  It describes the model and each column, and adds the test values_are_decoded, which reports values
  that could not be decoded.

  Arguments:
    name (string): the name of the model.
    stream (dict[string, any]): the stream, see get_table_stream.
    columns (list[dict[string, any]]): its columns, see get_typed_columns.
#}
{% macro _typed_model_properties(name, stream, columns) -%}
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
