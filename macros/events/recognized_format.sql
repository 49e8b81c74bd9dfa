{#
  Prints SQL for the slug of the first format of the registry that recognizes a message, or null: one light parse that reads
  only the fields by which formats tell themselves apart.
#}
{% macro recognized_format(json_text) -%}
    {%- set signature, conditions = {}, [] -%}
    {%- for slug in kafka_cdc.get_formats() -%}
        {%- set recognized_by = kafka_cdc.get_format(slug).recognized_by -%}
        {%- do kafka_cdc.merge_fields(signature, recognized_by.signature) -%}
        {%- do conditions.append('when ' ~ recognized_by.condition ~ " then '" ~ slug ~ "'") -%}
    {%- endfor -%}
    {%- set signature_of = "from_json(" ~ json_text ~ ", '" ~ kafka_cdc.struct_fields(signature) ~ "', " ~ kafka_cdc.get_json_options() ~ ')' -%}
    {{ kafka_cdc.sql_let({'signature': signature_of}, 'case\n            ' ~ conditions | join('\n            ') ~ '\n        end') }}
{%- endmacro %}
