{#
  Prints an expression: the types of a row's columns as in Debezium's schema envelope.

  The result is a map<string, string>. A type is the name of the schema, or its primitive type if
  it has none, and then its parameters as JSON. The primitive type float is `float32`, because FLOAT
  of some databases is a double or a decimal.

  Arguments:
    columns (string): SQL of the columns, array of struct (field, type, name, parameters).
#}
{% macro debezium_column_types(columns) -%}
    {%- set types -%}
    transform({{ columns }}, c -> concat_ws(
        ' ',
        coalesce(c.name, if(c.type = 'float', 'float32', c.type)),
        to_json(c.parameters)
    ))
    {%- endset -%}
    {{ kafka_cdc.safe_map_from_arrays(columns ~ '.field', types) }}
{%- endmacro %}
