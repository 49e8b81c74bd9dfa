{#
  Returns the decoder of a column whose shards have different types: the narrowest that holds them all.

  Arguments:
    decoders (list[dict[string, any]]): decoders of plain types, see get_decoder.

  Returns: a decoder. It is text, with a remark, if no type holds all values exactly.
#}
{% macro get_common_decoder(decoders) %}
    {%- for wide in decoders -%}
        {%- set narrower = [] -%}
        {%- for decoder in decoders if decoder == wide or kafka_cdc.has_wider_type(decoder, wide) -%}
            {%- do narrower.append(decoder) -%}
        {%- endfor -%}
        {%- if narrower | length == decoders | length -%}
            {{ return(wide) }}
        {%- endif -%}
    {%- endfor -%}

    {%- set types = decoders | map(attribute='spark_type') | list -%}
    {%- if types | reject('in', ['int', 'float', 'double']) | list | length == 0 -%}
        {{ return({'macro': 'decode_float', 'arguments': ['double'], 'spark_type': 'double'}) }}
    {%- endif -%}

    {%- set digits = {'before': [], 'after': []} -%}
    {%- for type in types -%}
        {%- set numbers = modules.re.findall('[0-9]+', type) | map('int') | list -%}
        {%- set known = [numbers[0] - numbers[1], numbers[1]] if type.startswith('decimal')
            else {'int': [10, 0], 'bigint': [19, 0]}.get(type, [39, 0]) -%}
        {%- do digits.before.append(known[0]) -%}
        {%- do digits.after.append(known[1]) -%}
    {%- endfor -%}
    {%- set scale = digits.after | max -%}
    {%- set precision = digits.before | max + scale -%}
    {%- if precision <= 38 -%}
        {{ return({
            'macro': 'decode_decimal',
            'arguments': [precision, scale],
            'spark_type': 'decimal(' ~ precision ~ ', ' ~ scale ~ ')',
        }) }}
    {%- endif -%}
    {{ return({
        'macro': 'decode_text',
        'arguments': [],
        'spark_type': 'string',
        'remark': 'no type holds those of all shards',
    }) }}
{% endmacro %}
