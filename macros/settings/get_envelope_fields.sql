{#
  Returns the fields of a message that the paths of an envelope name, for struct_fields.

  Rows of get_envelope_metadata are left out, because they have metadata among their columns.

  Raises an error if two paths exclude each other. One may be inside the other, which is no row. Both
  may be the same but of different types. They may differ by upper and lower case only.

  Arguments:
    envelope (dict[string, any]): the envelope, see get_envelope.
    setting (string): the path of the setting, for messages.

  Returns: dict[string, any], a field to its SQL type or to a dictionary of fields.
#}
{% macro get_envelope_fields(envelope, setting='envelope') %}
    {%- set types = {
        'operation': 'string',
        'database': 'string',
        'schema': 'string',
        'table': 'string',
        'key': 'array<string>',
        'before': 'map<string, string>',
        'after': 'map<string, string>',
        'sequence': 'string',
        'occurred_at': 'string',
        'emitted_at': 'string',
        'column_types': 'map<string, string>',
    } -%}
    {%- set metadata = kafka_cdc.get_envelope_metadata(envelope) -%}
    {%- set fields = {} -%}
    {%- for key, type in types.items() if envelope[key] -%}
        {%- set paths = [envelope[key]] if envelope[key] is string else envelope[key] -%}
        {%- for path in paths if not (key in ['before', 'after'] and path in metadata) -%}
            {%- set place = namespace(fields=fields) -%}
            {%- for name in path.split('.') -%}
                {%- set known = place.fields.get(name, {} if not loop.last else type) -%}
                {%- set other_case = place.fields.keys() | reject('equalto', name) | map('lower') | list -%}
                {%- set is_other_type = (known is mapping) == loop.last or (loop.last and known != type) -%}
                {%- if is_other_type or name | lower in other_case -%}
                    {{ kafka_cdc.raise_setting_error(
                        setting=setting ~ '.' ~ key,
                        value=path,
                        valid='a path that no other path of the envelope contains or contradicts',
                        hint='write one path for a text, a row, or a list of names'
                    ) }}
                {%- endif -%}
                {%- do place.fields.update({name: known}) -%}
                {%- set place.fields = known -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(fields) }}
{% endmacro %}
