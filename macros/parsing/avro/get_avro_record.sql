{#
  Returns the Avro schema of a record.

  Names, namespaces, defaults and docs are not in the bytes. Choose names that suit the SQL.

  Arguments:
    name (string): the name of the record.
    fields (dict[string, any]): field to Avro type, a name or a schema, in the order of the fields.

  Returns: a dictionary.
#}
{% macro get_avro_record(name, fields) %}
    {%- set schema_fields = [] -%}
    {%- for field, type in fields.items() -%}
        {%- do schema_fields.append({'name': field, 'type': type}) -%}
    {%- endfor -%}

    {{ return({'type': 'record', 'name': name, 'fields': schema_fields}) }}
{% endmacro %}
