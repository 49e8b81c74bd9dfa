{#
  Returns how a column is decoded: macro (of macros/decode), arguments (after the text), spark_type; none where no line of the seed
  knows the type, or, for a source whose database nobody says, where databases differ.
  source_types: get_source_types(). source_format, database, type: of the column. A line that names the format counts before one that
  names the database only, and a type with its parameters, tinyint(1), before one without.
#}
{% macro get_decoder(source_types, source_format, database, type) %}
    {%- if not database -%}
        {%- set decoders = [] -%}
        {%- for one in source_types | map(attribute='source_database') | unique if one != '*' -%}
            {%- set decoder = kafka_cdc.get_decoder(source_types, source_format, one, type) -%}
            {%- if decoder is not none and decoder not in decoders %}{% do decoders.append(decoder) %}{% endif -%}
        {%- endfor -%}
        {{ return(decoders[0] if decoders | length == 1 else none) }}
    {%- endif -%}
    {%- set said = kafka_cdc.get_parsed_source_type(type) -%}
    {%- set best = namespace(rank=0, decoders=[]) -%}
    {%- for line in source_types -%}
        {%- set name = said.names | select('in', line.source_type) | first | default('') -%}
        {%- if name and line.source_database in ['*', database] and kafka_cdc.has_glob_match(source_format, line.source_format) -%}
            {%- set rank = 4 * (line.source_format != '*') + 2 * (name != said.names[1]) + (line.source_database != '*') + 1 -%}
            {%- set decoder = kafka_cdc._decoder(line, said) -%}
            {%- if rank > best.rank -%}
                {%- set best.rank = rank -%}
                {%- set best.decoders = [decoder] -%}
            {%- elif rank == best.rank and decoder not in best.decoders -%}
                {%- do best.decoders.append(decoder) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(best.decoders[0] if best.decoders | length == 1 else none) }}
{% endmacro %}

{# Returns the decoder of a line of the seed for a type as get_parsed_source_type reads it. #}
{% macro _decoder(line, said) %}
    {#- A decimal whose type says no precision has room for 20 digits before the point and 18 after it. -#}
    {%- set source_scale = (18 if said.scale is none else said.scale) | int -%}
    {%- set scale = source_scale -%}
    {%- set precision = (38 if said.precision is none else said.precision) | int -%}
    {%- set precision = [[precision - [scale, 0] | min, scale] | max, 38] | min -%}
    {%- set scale = [[scale, 0] | max, 38] | min -%}
    {%- set values = {'precision': precision, 'scale': scale, 'source_scale': source_scale if source_scale != scale else none,
        'length': said.length | int if said.length is not none else none, 'labels': said.labels} -%}
    {%- set arguments = [] -%}
    {%- for word in line.arguments.split(' ') if word != '-' -%}
        {%- do arguments.append(values[word] if word in values else (word | int if modules.re.match('[0-9]+\\Z', word) else word)) -%}
    {%- endfor -%}
    {{ return({
        'macro': line.decoder,
        'arguments': arguments,
        'spark_type': line.spark_type | replace('precision', precision) | replace('scale', scale) | replace(',', ', '),
    }) }}
{% endmacro %}
