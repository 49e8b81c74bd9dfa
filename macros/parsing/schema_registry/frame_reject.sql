{#
  Prints SQL for the reject of framed bytes that cannot be read, null where there is none.
  schema_id, text: columns, beside topic: the schema that they name, and what framed_text has made of them. schemas: as get_schemas returns them.
#}
{% macro frame_reject(schema_id, text, schemas) -%}
    case
        when {{ schema_id }} is null or {{ text }} is not null then null
        {%- for schema in schemas if schema.read_as is not none or schema.problem is not none %}
        when {{ kafka_cdc.written_with_schema_condition(schema_id, schema) }} then
            {%- if schema.problem is none %} {{ kafka_cdc.reject_struct('invalid_binary', kafka_cdc.sql_literal(' Its schema is ' ~ schema.schema_id ~ '.') | trim) }}
            {%- else %} {{ kafka_cdc.reject_struct('unknown_schema', kafka_cdc.sql_literal(schema.schema_id ~ ': ' ~ schema.problem) | trim) }}
            {%- endif %}
        {%- endfor %}
        else {{ kafka_cdc.reject_struct('unknown_schema', schema_id) }}
    end
{%- endmacro %}
