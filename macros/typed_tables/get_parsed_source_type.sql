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
{% macro get_parsed_source_type(type) %}
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
