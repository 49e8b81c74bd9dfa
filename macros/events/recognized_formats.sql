{#
  Prints an expression: the slugs of the formats that could have written a message, array<string>.

  One light parse reads only the fields that tell the formats apart. The condition of each format is
  tried. The first format that recognizes the message removes the formats of its entry `instead_of`
  from the result. A format of the user's own removes those of the package. A message with more than
  one slug is not read.

  Arguments:
    json_text (string): SQL of the payload.
#}
{% macro recognized_formats(json_text) -%}
    {%- set signature = {} -%}
    {%- set claims, precedences = [], [] -%}
    {%- for slug in kafka_cdc.get_formats() if kafka_cdc.get_format(slug).recognized_by.condition != 'false' -%}
        {%- set recognized_by = kafka_cdc.get_format(slug).recognized_by -%}
        {%- do kafka_cdc.merge_fields(signature, recognized_by.signature) -%}
        {%- do claims.append('if(' ~ recognized_by.condition ~ ", '" ~ slug ~ "', null)") -%}
        {%- set is_own = slug not in kafka_cdc.get_package_formats() -%}
        {%- set preceded = kafka_cdc.get_package_formats() if is_own else recognized_by.instead_of or [] -%}
        {%- set preceded = preceded | reject('equalto', slug) | join("', '") -%}
        {%- if preceded -%}
            {%- do precedences.append("when '" ~ slug ~ "' then array('" ~ preceded ~ "')") -%}
        {%- endif -%}
    {%- endfor -%}

    {%- set signature_of_message -%}
    from_json({{ json_text }}, '{{ kafka_cdc.struct_fields(signature) }}', {{ kafka_cdc.get_json_options() }})
    {%- endset -%}
    {%- set claiming -%}
    array_compact(array(
            {{ claims | join(',\n            ') }}
        ))
    {%- endset -%}
    {%- set without_preceded -%}
    if(
            size(claiming) < 2,
            claiming,
            array_except(
                claiming,
                case claiming[0]
                    {{ precedences | join('\n                    ') }}
                    else array()
                end
            )
        )
    {%- endset -%}

    {{ kafka_cdc.sql_let({'signature': signature_of_message, 'claiming': claiming}, without_preceded) }}
{%- endmacro %}
