{#
  Returns what a source's own type text says: names (as it is, in lower case, number() where it has no parameters, and without them), precision, scale and length
  (none where it does not say them), labels (of an enum or set).
  An array of anything, integer[], is an array.
  It is read as databases write it, `decimal(10,2) unsigned`, and as Kafka Connect's schema says it, a name and its parameters as JSON:
  `org.apache.kafka.connect.data.Decimal {"scale": "2"}`.
#}
{% macro get_parsed_source_type(type) %}
    {%- set type = 'array' if type.endswith('[]') else type | trim -%}
    {%- set has_document = modules.re.match('[A-Za-z0-9_.]+ \\{.*\\}\\Z', type) is not none -%}
    {%- set document = fromjson(type[type.index(' '):], {}) if has_document else {} -%}
    {%- set type = type[:type.index(' ')] if has_document else type -%}
    {%- set parentheses = "\\(((?:'(?:[^']|'')*'|[^()'])*)\\)" -%}
    {%- set inside = modules.re.search(parentheses, type) -%}
    {%- set inside = inside.group(1) if inside else '' -%}
    {%- set labels = [] -%}
    {%- for label in modules.re.findall("(?s)'((?:[^']|'')*)'", inside) %}{% do labels.append(label | replace("''", "'")) %}{% endfor -%}
    {%- set numbers = modules.re.findall('-?[0-9]+', inside) if not labels else [] -%}
    {%- set full = modules.re.sub('\\s+', ' ', type | lower | replace(' zerofill', '')) -%}
    {%- set full = modules.re.sub('\\s*([(),])\\s*', '\\1', full) | replace(')', ') ') | trim -%}
    {%- set full = modules.re.sub(' (character set|charset|collate) .*', '', full) -%}
    {%- set base = modules.re.sub('\\s+', ' ', modules.re.sub(parentheses, ' ', full)) | trim -%}
    {{ return({
        'names': [full if full != base else base ~ '()', base],
        'precision': document.get('connect.decimal.precision', numbers[0] if numbers else none),
        'scale': document.get('scale', numbers[1] if numbers | length > 1 else ('0' if numbers else none)),
        'length': document.get('length', numbers[0] if numbers else none),
        'labels': labels,
    }) }}
{% endmacro %}
