{#
  Prints SQL for the text that framed bytes say, null where they cannot be read: JSON as it is, and an Avro record as the JSON that Kafka
  Connect's converter would have written: bytes and decimals base64, times the numbers that are stored, nulls said. A value that
  Connect wrote stands in the converter's envelope, {"schema": …, "payload": …}, which says its types.
  frame, schema_id: columns, beside topic. schemas: as get_schemas returns them. is_value: false for a key, which needs no types.
#}
{% macro framed_text(frame, schema_id, schemas, is_value=true) -%}
    {%- set payload = 'substring(' ~ frame ~ ', 6)' -%}
    case
        {%- for schema in schemas if schema.read_as is not none or schema.type == 'JSON' %}
        when {{ kafka_cdc.written_with_schema_condition(schema_id, schema) }} then
            {% if schema.type == 'JSON' %}cast({{ payload }} as string){% else %}{{ kafka_cdc._avro_text(payload, schema, is_value) | indent(8) }}{% endif %}
        {%- endfor %}
        when cast({{ payload }} as string) rlike r'^\s*\{' then cast({{ payload }} as string)
    end
{%- endmacro %}

{# Prints SQL for the text of bytes in Avro: of a record its JSON, of anything else its own. #}
{% macro _avro_text(bytes, schema, is_value) -%}
    {%- set members = schema.read_as if schema.read_as is sequence and schema.read_as is not string and schema.read_as is not mapping else [schema.read_as] -%}
    {%- set is_record = members | reject('equalto', 'null') | select('mapping') | list != [] -%}
    {%- set text = "to_json(record, map('ignoreNullFields', 'false'))" if is_record else 'cast(record as string)' -%}
    {%- if is_record and is_value and schema.connect_schema is not none -%}
        {%- set text = "concat(" ~ kafka_cdc.sql_literal('{"schema":' ~ schema.connect_schema ~ ',"payload":') | trim ~ ', ' ~ text ~ ", '}')" -%}
    {%- endif -%}
    {{ kafka_cdc.sql_let({'bytes': bytes, 'sentinel': kafka_cdc.json_sentinel('bytes'), 'record': kafka_cdc.read_avro('bytes', schema.read_as)}, text) }}
{%- endmacro %}
