{#
  Prints SQL for the struct that bytes say, read as exactly one Avro record without a header; null where they are null, damaged,
  cut short or go on after the record.
  Avro marks no end, and Spark ignores what follows a record: a sentinel is put behind the bytes and must be found right behind the
  record, whatever legal encoding it is in. A union's members are named member_<type>, in lower case.
  bytes: SQL for a binary. schema: the record's schema, as get_avro_record returns it. sentinel: SQL for a text, as json_sentinel prints it.
#}
{% macro read_avro(bytes, schema, sentinel='sentinel') -%}
    {%- set sealed_schema = kafka_cdc.get_avro_record('Sealed', {'message': schema, '_sentinel': {'type': 'fixed', 'name': 'Seal', 'size': 8}}) -%}
    {%- set sealed -%}
    from_avro(
        concat({{ bytes }}, seal_bytes),
        '{{ tojson(sealed_schema) | replace('": ', '":') | wordwrap(130, false) }}',
        map('mode', 'PERMISSIVE', 'enableStableIdentifiersForUnionType', 'true')
    )
    {%- endset -%}
    {{ kafka_cdc.sql_let({'seal_bytes': 'unhex(lpad(' ~ sentinel ~ ", 16, '0'))", 'sealed': sealed}, 'if(sealed._sentinel = seal_bytes, sealed.message, null)') }}
{%- endmacro %}
