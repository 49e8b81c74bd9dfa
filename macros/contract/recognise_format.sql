{#
  Prints SQL for the slug of the first format of the registry that recognises a message, or null: one light parse that reads
  only the fields by which formats tell themselves apart.
#}
{% macro recognise_format(json_text) -%}
    {%- set signature, conditions = {}, [] -%}
    {%- for slug in get_formats() -%}
        {%- set recognised_by = get_format(slug).recognised_by -%}
        {%- do merge_fields(signature, recognised_by.signature) -%}
        {%- do conditions.append('when ' ~ recognised_by.condition ~ " then '" ~ slug ~ "'") -%}
    {%- endfor -%}
    {%- set signature_of = "from_json(" ~ json_text ~ ", '" ~ struct_fields(signature) ~ "', " ~ get_json_options() ~ ')' -%}
    {{ let({'signature': signature_of}, 'case\n            ' ~ conditions | join('\n            ') ~ '\n        end') }}
{%- endmacro %}
