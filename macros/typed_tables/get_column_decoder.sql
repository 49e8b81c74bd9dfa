{#
  Returns how one column of a stream is decoded.

  A column stays text in these cases, and `remark` has the reason:
  * Nothing contains its type.
  * The seed source_types lacks the type.
  * Its type changed, and texts of the two types cannot be distinguished.

  If its type changed between plain types, such as int and bigint, the newest type counts. For shards
  in one table it is the type that holds all values, see _get_common_decoder. An enum or set that got
  labels at its end keeps its numbers, so that the longest list decodes the texts of all of them.

  Arguments:
    source_types (list[dict[string, any]]): the seed, see get_source_types.
    stream (dict[string, any]): the stream, see get_table_stream.
    name (string): the column.
    types (list[dict[string, any]]): the column's types, the newest one last: source_format,
      source_database_type and type. If the values carry their types, value_types instead.

  Returns: a dictionary like that of get_decoder, with source_type, remark and is_ambiguous: whether
    the column is text for the third reason.
#}
{% macro get_column_decoder(source_types, stream, name, types) %}
    {%- set type_names = [] -%}
    {%- set decoders = [] -%}
    {%- for type in types -%}
        {%- set format = type.source_format -%}
        {%- set database = stream.database_type or kafka_cdc.get_source_database(format, type.source_database_type) -%}
        {%- set type_name = kafka_cdc._get_type_name(source_types, database, type) -%}
        {%- if type_name is not none and type_name not in type_names -%}
            {%- do type_names.append(type_name) -%}
        {%- endif -%}

        {%- set decoder = none -%}
        {%- if type_name is not none -%}
            {%- set decoder = kafka_cdc.get_decoder(
                source_types=source_types,
                source_format=format,
                database=database,
                type=type_name
            ) -%}
        {%- endif -%}
        {%- if decoder not in decoders -%}
            {%- do decoders.append(decoder) -%}
        {%- endif -%}

        {%- if decoder is none and name in (stream.column_types or {}) -%}
            {{ kafka_cdc.raise_error(
                'by the setting tables the type of ' ~ name ~ ' of ' ~ stream.path ~ ' is ' ~ type_name
                    ~ ', which ' ~ (database or 'a database of unknown kind') ~ ' does not have',
                'seeds/source_types.csv lists the types; set database_type next to column_types to name the database'
            ) }}
        {%- endif -%}
    {%- endfor -%}

    {%- set decoders = kafka_cdc._without_shorter_labels(decoders) -%}
    {%- set others = [] -%}
    {%- for decoder in decoders if decoder is none or decoder.macro not in kafka_cdc.get_plain_decoders() -%}
        {%- do others.append(decoder) -%}
    {%- endfor -%}

    {%- set is_ambiguous = decoders | length > 1 and others | length > 0 -%}
    {%- if not type_names -%}
        {%- set remark = 'the messages do not contain the type' -%}
    {%- elif is_ambiguous -%}
        {%- set remark = 'texts of its earlier and its current type cannot be distinguished' -%}
    {%- else -%}
        {%- set remark = 'source_types has no such type' -%}
    {%- endif -%}
    {%- set text = {'macro': 'decode_text', 'arguments': [], 'spark_type': 'string', 'remark': remark} -%}

    {%- set newest = decoders[-1] if decoders and not is_ambiguous else none -%}
    {%- if newest and stream.is_sharded -%}
        {%- set newest = kafka_cdc._get_common_decoder(decoders) -%}
    {%- endif -%}
    {#- Shards change in turn, so that their types have no order. -#}
    {%- set source_type = type_names | sort | join(', ') if stream.is_sharded else type_names | join(', then ') -%}
    {{ return(dict(
        newest or text,
        source_type=source_type or none,
        is_ambiguous=is_ambiguous
    )) }}
{% endmacro %}

{# Returns decoders without those of an enum or set whose labels are the first ones of another. #}
{% macro _without_shorter_labels(decoders) %}
    {%- set kept = [] -%}
    {%- for decoder in decoders -%}
        {%- set longer = [] -%}
        {%- set labels = decoder.arguments[0] if decoder and decoder.macro in ['decode_enum', 'decode_set'] else [] -%}
        {%- for other in decoders if labels and other and other.macro == decoder.macro and other != decoder -%}
            {%- if other.arguments[0][:labels | length] == labels -%}
                {%- do longer.append(other) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if not longer -%}
            {%- do kept.append(decoder) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(kept) }}
{% endmacro %}

{#
  Returns the name of a type. If each value carries its type: that type, the type that holds all
  values exactly, or mixed. A double holds no long, and a decimal(38, 18) no double.
#}
{% macro _get_type_name(source_types, database, type) %}
    {%- if type.type is not none -%}
        {{ return(type.type) }}
    {%- endif -%}

    {%- set mixed = kafka_cdc.get_decoder(
        source_types=source_types,
        source_format=type.source_format,
        database=database or '',
        type='mixed'
    ) -%}
    {%- if mixed is none -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set narrower = {'long': ['int'], 'double': ['int'], 'decimal': ['int', 'long']} -%}
    {%- for wide in type.value_types -%}
        {%- if type.value_types | reject('in', narrower.get(wide, []) + [wide]) | list | length == 0 -%}
            {{ return(wide) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return('mixed') }}
{% endmacro %}

{#
  Returns the decoder of a column whose shards have different types: the narrowest that holds them all.

  Arguments:
    decoders (list[dict[string, any]]): decoders of plain types, see get_decoder.

  Returns: a decoder. It is text, with a remark, if no type holds all values exactly.
#}
{% macro _get_common_decoder(decoders) %}
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
