{#
  Prints an expression: a struct, read from bytes that must be exactly one Avro record.

  The record has no header. The result is null if the bytes are null, damaged or truncated, or if
  more bytes follow the record.

  Avro does not mark the end of a record, and Spark ignores what follows. Therefore a sentinel is
  appended to the bytes. It must be found directly after the record, in any legal encoding.
  The members of a union are named member_<type>, in lower case.

  Arguments:
    bytes (string): SQL of the bytes.
    schema (any): the record's Avro schema, see get_avro_record.
    sentinel (string): SQL of the sentinel, see json_sentinel.
#}
{% macro read_avro(bytes, schema, sentinel='sentinel') -%}
    {%- set guarded_schema = kafka_cdc.get_avro_record('Guarded', {
        'message': schema,
        '_sentinel': {'type': 'fixed', 'name': 'Sentinel', 'size': 8},
    }) -%}

    {%- set guarded -%}
    from_avro(
        concat({{ bytes }}, sentinel_bytes),
        '{{ tojson(guarded_schema) | replace('": ', '":') | wordwrap(130, false) }}',
        map('mode', 'PERMISSIVE', 'enableStableIdentifiersForUnionType', 'true')
    )
    {%- endset -%}

    {{ kafka_cdc.sql_let({
        'sentinel_bytes': 'unhex(lpad(' ~ sentinel ~ ", 16, '0'))",
        'guarded': guarded,
    }, 'if(guarded._sentinel = sentinel_bytes, guarded.message, null)') }}
{%- endmacro %}
