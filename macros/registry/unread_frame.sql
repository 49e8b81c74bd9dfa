{#
  Prints SQL for the reject of framed bytes that cannot be read, null where there is none.
  schema_id, text: columns, beside topic: the schema that they name, and what framed_text has made of them. schemas: as get_schemas returns them.
#}
{% macro unread_frame(schema_id, text, schemas) -%}
    case
        when {{ schema_id }} is null or {{ text }} is not null then null
        {%- for schema in schemas if schema.read_as is not none or schema.problem is not none %}
        when {{ is_of_schema(schema_id, schema) }} then
            {%- if schema.problem is none %} {{ reject('invalid_binary', sql_text(' Its schema is ' ~ schema.schema_id ~ '.') | trim) }}
            {%- else %} {{ reject('unknown_schema', sql_text(schema.schema_id ~ ': ' ~ schema.problem) | trim) }}
            {%- endif %}
        {%- endfor %}
        else {{ reject('unknown_schema', schema_id) }}
    end
{%- endmacro %}
