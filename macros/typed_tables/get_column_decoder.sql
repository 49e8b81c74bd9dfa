{#
  Returns how one column is decoded, get_decoder's mapping with source_type and remark; text, with the remark why, where nothing says
  its type, no line of the seed knows it, or its texts cannot be told apart.
  types: what was said of it, the last one last: source_format, source_database_type, type, or value_types where the values say theirs.
#}
{% macro get_column_decoder(source_types, stream, name, types) %}
    {%- set plain = ['text', 'integer', 'decimal', 'float', 'boolean', 'date', 'timestamp', 'timestamp_ntz', 'time'] -%}
    {%- set said, decoders = [], [] -%}
    {%- for one in types -%}
        {%- set database = stream.database_type or kafka_cdc.get_source_database(one.source_format, one.source_database_type) -%}
        {%- set says_by_value = one.type is none and kafka_cdc.get_decoder(source_types, one.source_format, database or '', 'mixed') is not none -%}
        {%- set type = one.type if not says_by_value else 'long' if one.value_types == ['int', 'long'] else one.value_types[0] if one.value_types | length == 1 else 'mixed' -%}
        {%- if type is not none and type not in said %}{% do said.append(type) %}{% endif -%}
        {%- set decoder = kafka_cdc.get_decoder(source_types, one.source_format, database, type) if type is not none else none -%}
        {%- if decoder not in decoders %}{% do decoders.append(decoder) %}{% endif -%}
        {%- if decoder is none and name in (stream.column_types or {}) -%}
            {{ kafka_cdc.raise_error('the setting tables says that ' ~ name ~ ' of ' ~ stream.path ~ ' is ' ~ type ~ ', which ' ~ (database or 'a source whose database nobody says')
                    ~ ' does not have', 'seeds/source_types.csv lists the types; database_type beside column_types says which database it is') }}
        {%- endif -%}
    {%- endfor -%}
    {%- set apart = namespace(is_plain=true) -%}
    {%- for decoder in decoders if decoder is none or decoder.macro | replace('decode_', '', 1) not in plain %}{% set apart.is_plain = false %}{% endfor -%}
    {%- set source_type = said | join(', then ') or none -%}
    {%- set last = decoders[-1] if decoders | length == 1 or apart.is_plain else none -%}
    {%- set remark = 'its messages do not say its type' if not said else 'its texts from before and after cannot be told apart' if decoders | length > 1
        else 'source_types has no such type' -%}
    {%- set text = {'macro': 'decode_text', 'arguments': [], 'spark_type': 'string', 'remark': remark} -%}
    {{ return(dict(last if last else text, source_type=source_type)) }}
{% endmacro %}
