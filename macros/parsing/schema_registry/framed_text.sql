{#
  Prints an expression: the JSON text of framed bytes, null if they cannot be read.

  JSON stays as it is. An Avro record becomes the JSON that Kafka Connect's converter would write:
  bytes and decimals in base64, times as the stored numbers, nulls included. If Connect wrote the
  value, the text has the converter's envelope, {"schema": …, "payload": …}, which holds its types.

  Arguments:
    frame (string): the column with the bytes, see framed_bytes.
    schema_id (string): the column with the id of the schema.
    schemas (list[dict[string, any]]): the schemas, see get_schemas.
    is_value (boolean): false for a key, which needs no types.

  Requires: the columns `topic`, `topic_incarnation`.
#}
{% macro framed_text(frame, schema_id, schemas, is_value=true) -%}
    {%- set payload = 'substring(' ~ frame ~ ', 6)' -%}
    case
        {%- for schema in schemas if schema.read_as is not none or schema.type == 'JSON' %}
        when {{ kafka_cdc.written_with_schema_condition(schema_id, schema) }} then
            {%- if schema.type == 'JSON' %}
            cast({{ payload }} as string)
            {%- else %}
            {{ kafka_cdc._avro_text(payload, schema, is_value) | indent(12) }}
            {%- endif %}
        {%- endfor %}
        when cast({{ payload }} as string) rlike r'^\s*\{' then cast({{ payload }} as string)
    end
{%- endmacro %}

{# Prints an expression: the text of Avro bytes. A record becomes JSON, anything else its own text. #}
{% macro _avro_text(bytes, schema, is_value) -%}
    {%- set is_union = schema.read_as is sequence and schema.read_as is not string and schema.read_as is not mapping -%}
    {%- set members = schema.read_as if is_union else [schema.read_as] -%}
    {%- set is_record = members | reject('equalto', 'null') | select('mapping') | list != [] -%}
    {%- set text = "to_json(record, map('ignoreNullFields', 'false'))" if is_record else 'cast(record as string)' -%}

    {%- if is_record and is_value and schema.connect_schema is not none -%}
        {%- set envelope = kafka_cdc.sql_literal('{"schema":' ~ schema.connect_schema ~ ',"payload":') -%}
        {%- set text = 'concat(' ~ envelope ~ ', ' ~ text ~ ", '}')" -%}
    {%- endif -%}

    {{ kafka_cdc.sql_let({
        'bytes': bytes,
        'sentinel': kafka_cdc.json_sentinel('bytes'),
        'record': kafka_cdc.read_avro('bytes', schema.read_as),
    }, text) }}
{%- endmacro %}
