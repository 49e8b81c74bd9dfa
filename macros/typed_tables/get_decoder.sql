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

    {%- set parsed = kafka_cdc._get_parsed_source_type(type) -%}
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

{# Returns the decoder of a line of the seed for a type of _get_parsed_source_type. #}
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

{#
  Returns the parts of a type's text in the source.

  The text may be as databases write it, such as decimal(10,2) unsigned. It may also be as Kafka
  Connect's schemas write it, a name and its parameters as JSON:
  org.apache.kafka.connect.data.Decimal {"scale": "2"}. An array of any type, such as integer[], is
  the type `array`.

  Arguments:
    type (string): the text.

  Returns: a dictionary:
    * names: the text in lower case, and the text without parameters as the last. Without parameters
      the first one ends with (), so that the seed can tell number from number(10). A whole number of
      at most 18 digits, such as number(10, -2), also has the name number(..18).
    * precision, scale, length: none if the text does not contain them. The precision 0 of a document
      stands for none.
    * labels: those of an enum or set.
#}
{% macro _get_parsed_source_type(type) %}
    {%- set type = 'array' if type.endswith('[]') else type | trim -%}

    {#- Kafka Connect: a name and a JSON document. -#}
    {%- set has_document = modules.re.match('[A-Za-z0-9_.]+ \\{.*\\}\\Z', type) is not none -%}
    {%- set document = fromjson(type[type.index(' '):], {}) if has_document else {} -%}
    {%- set type = type[:type.index(' ')] if has_document else type -%}
    {#- Without a precision CockroachDB has no scale either, and writes 0 for both. Kafka Connect's scale counts. -#}
    {%- set precision = document.get('connect.decimal.precision', document.get('precision')) -%}
    {%- set document = {} if document.get('precision') == '0' else document -%}

    {#- A database: parameters in parentheses, which are labels in quotes or numbers. -#}
    {%- set parentheses = "\\(((?:'[^']*'|[^()'])*)\\)" -%}
    {%- set match = modules.re.search(parentheses, type) -%}
    {%- set parameters = match.group(1) if match else '' -%}
    {%- set labels = [] -%}
    {%- for label in modules.re.findall("(?s)'((?:[^']|'')*)'", parameters) -%}
        {%- do labels.append(label | replace("''", "'")) -%}
    {%- endfor -%}
    {%- set parameters = '' if labels or parameters | trim == '*' else parameters | replace('*', '38') -%}
    {%- set numbers = modules.re.findall('-?[0-9]+', parameters) -%}

    {#- One spelling: single blanks, none around parentheses and commas, no character set. -#}
    {%- set full_name = modules.re.sub('\\s+', ' ', type | lower | replace(' zerofill', '')) -%}
    {%- set full_name = modules.re.sub('\\s*([(),])\\s*', '\\1', full_name) | replace('(*)', '') -%}
    {%- set full_name = full_name | replace(')', ') ') | trim -%}
    {%- set full_name = modules.re.sub(' (character set|charset|collate) .*', '', full_name) -%}
    {%- set bare_name = modules.re.sub('\\s+', ' ', modules.re.sub(parentheses, ' ', full_name)) | trim -%}

    {%- set precision = (precision if precision != '0' else none) or (numbers[0] if numbers else none) -%}
    {%- set scale = document.get('scale', numbers[1] if numbers | length > 1 else ('0' if numbers else none)) -%}
    {%- set names = [full_name if full_name != bare_name else bare_name ~ '()'] -%}
    {%- if numbers and scale | int <= 0 and precision | int - scale | int <= 18 -%}
        {%- do names.append(bare_name ~ '(..18)') -%}
    {%- endif -%}

    {{ return({
        'names': names + [bare_name],
        'precision': precision,
        'scale': scale,
        'length': document.get('length', numbers[0] if numbers else none),
        'labels': labels,
    }) }}
{% endmacro %}
