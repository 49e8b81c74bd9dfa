{#
  Returns how a column of a type is decoded.

  A line of the seed that names the format precedes one that names the database only. A type with
  its parameters, such as tinyint(1), precedes one without.

  Arguments:
    source_types (list[dict[string, any]]): the seed, see get_source_types.
    source_format (string): the slug of the format.
    database (optional[string]): the kind of database, or none or '' if it is not known.
    type (string): the type's text in the source.

  Returns: a dictionary with macro (in macros/decoders), arguments (after the text) and spark_type.
    None if no line has the type, or if the database is not known and databases differ.
#}
{% macro get_decoder(source_types, source_format, database, type) %}
    {%- if not database -%}
        {%- set decoders = [] -%}
        {%- for each in source_types | map(attribute='source_database') | unique if each != '*' -%}
            {%- set decoder = kafka_cdc.get_decoder(
                source_types=source_types,
                source_format=source_format,
                database=each,
                type=type
            ) -%}
            {%- if decoder is not none and decoder not in decoders -%}
                {%- do decoders.append(decoder) -%}
            {%- endif -%}
        {%- endfor -%}
        {{ return(decoders[0] if decoders | length == 1 else none) }}
    {%- endif -%}

    {%- set parsed = kafka_cdc.get_parsed_source_type(type) -%}
    {%- set best = namespace(rank=0, decoders=[]) -%}
    {%- for line in source_types -%}
        {%- set name = parsed.names | select('in', line.source_type) | first | default('') -%}
        {%- set is_of_database = line.source_database in ['*', database] -%}
        {%- if name and is_of_database and kafka_cdc.has_glob_match(source_format, line.source_format) -%}
            {#- A format counts more than parameters, and parameters count more than a database. -#}
            {%- set rank = 1
                + 4 * (line.source_format != '*')
                + 2 * (name != parsed.names[-1])
                + (line.source_database != '*') -%}
            {%- set decoder = kafka_cdc._get_decoder_of_line(line, parsed) -%}
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

{# Returns the decoder of a line of the seed for a type of get_parsed_source_type. #}
{% macro _get_decoder_of_line(line, parsed) %}
    {#- A decimal without precision has room for 20 digits before the point and 18 after it. -#}
    {%- set source_scale = (18 if parsed.scale is none else parsed.scale) | int -%}
    {%- set source_precision = (38 if parsed.precision is none else parsed.precision) | int -%}

    {%- if source_scale in [127, -127] -%}
        {#- JDBC's scale of a number without scale, Oracle's NUMBER. Connectors use 127 or -127. -#}
        {%- set precision, scale = 38, 18 -%}
    {%- else -%}
        {#- Oracle's negative scales become digits before the point. Spark has at most 38 digits. -#}
        {%- set precision = source_precision - [source_scale, 0] | min -%}
        {%- set precision = [[precision, source_scale] | max, 38] | min -%}
        {%- set scale = [[source_scale, 0] | max, 38] | min -%}
    {%- endif -%}

    {%- set values = {
        'precision': precision,
        'scale': scale,
        'source_scale': source_scale if source_scale != scale else none,
        'length': parsed.length | int if parsed.length is not none else none,
        'labels': parsed.labels,
    } -%}
    {%- set arguments = [] -%}
    {%- for word in line.arguments.split(' ') if word != '-' -%}
        {%- if word in values -%}
            {%- do arguments.append(values[word]) -%}
        {%- else -%}
            {%- do arguments.append(word | int if modules.re.match('[0-9]+\\Z', word) else word) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- set spark_type = line.spark_type | replace('precision', precision) | replace('scale', scale) -%}
    {{ return({
        'macro': line.decoder,
        'arguments': arguments,
        'spark_type': spark_type | replace(',', ', '),
    }) }}
{% endmacro %}
