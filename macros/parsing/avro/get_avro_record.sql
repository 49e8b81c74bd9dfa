{#
  Returns the Avro schema of a record, as a mapping, from its fields in their order: field → Avro type, a name or a schema of its own.
  Names, namespaces, defaults and docs are not in the bytes: give the names that the SQL shall read.
#}
{% macro get_avro_record(name, fields) %}
    {%- set listed = [] -%}
    {%- for field, type in fields.items() %}{% do listed.append({'name': field, 'type': type}) %}{% endfor -%}
    {{ return({'type': 'record', 'name': name, 'fields': listed}) }}
{% endmacro %}
