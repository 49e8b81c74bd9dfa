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
            {{ print(kafka_cdc.typed_model_properties(name, stream, columns) | trim) }}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
