{#
  Raises an error unless a line of `topics`, `tables` or `sequence_resets` is valid.

  The line must be a mapping that has all required keys, no unknown key, and only valid values.

  Arguments:
    name (string): the name of the line for messages, such as topics[entry 3: drs_*].
    line (any): the line.
    rules (dict[string, dict[string, any]]): key to its rule. A rule has these entries:
      * kind: text, pattern, patterns, path, paths, columns, types, mapping, references, integer,
        boolean, duration, choice or timezone. The caller checks references.
      * required: true if the line must have the key.
      * match: the regular expression of a pattern, a path or a column name.
      * description: what a pattern, a path or a column name is, for messages.
      * example: an example, for hints.
      * valid: the valid values of a choice.
      * hint: the hint for an invalid choice.
#}
{% macro check_setting_line(name, line, rules) %}
    {%- if line is not mapping -%}
        {{ kafka_cdc.raise_setting_error(
            setting=name,
            value=line,
            valid='a mapping with ' ~ rules.keys() | join(', '),
            hint='write it as {key: value, …}'
        ) }}
    {%- endif -%}

    {%- for key in line if key not in rules -%}
        {{ kafka_cdc.raise_setting_error(
            setting=name ~ '.' ~ key,
            value=line[key],
            valid='the keys ' ~ rules.keys() | join(', '),
            hint='this key does not exist; check its spelling'
        ) }}
    {%- endfor -%}

    {%- for key, rule in rules.items() if key in line or rule.required -%}
        {%- do kafka_cdc._check_setting_value(name ~ '.' ~ key, line.get(key), rule) -%}
    {%- endfor -%}
{% endmacro %}

{# Raises an error unless a value meets its rule. #}
{% macro _check_setting_value(setting, value, rule) %}
    {%- set valid = {
        'text': 'a text',
        'pattern': 'a name or glob',
        'patterns': 'a name, a glob or a list of them',
        'path': 'a path',
        'paths': 'a path or a list of paths',
        'columns': 'a list of column names',
        'types': 'a mapping of columns to type names',
        'mapping': 'a mapping',
        'references': 'a list of references',
        'integer': 'a whole number from 0',
        'boolean': 'true, false',
        'duration': 'a whole number from 1 with the unit s, m, h or d',
        'choice': rule.get('valid', []) | join(', '),
        'timezone': 'an IANA time zone',
    }[rule.kind] -%}
    {%- set hint = {
        'text': 'put it in quotes',
        'integer': 'write it without quotes',
        'boolean': 'write it without quotes',
        'choice': rule.get('hint', 'write the value exactly as listed'),
        'timezone': 'for example Asia/Shanghai or +08:00',
    }.get(rule.kind, 'for example ' ~ rule.example) -%}

    {%- if value is none -%}
        {{ kafka_cdc.raise_setting_error(setting=setting, value=value, valid=valid, hint='set a value') }}
    {%- endif -%}

    {%- set is_valid = {
        'text': value is string and value,
        'pattern': value is string,
        'path': value is string,
        'paths': value is string or value is not mapping and value is iterable and value,
        'patterns': value is string or value is not mapping and value is iterable and value,
        'columns': value is not string and value is not mapping and value is iterable and value,
        'types': value is mapping,
        'mapping': value is mapping and value,
        'references': true,
        'integer': value is integer and value is not boolean and value >= 0,
        'boolean': value is boolean,
        'duration': value is string and modules.re.match('[1-9][0-9]{0,8}[smhd]\\Z', value),
        'choice': value in rule.get('valid', []),
        'timezone': value is string and (
            value in modules.pytz.all_timezones
            or modules.re.match('[+-]((0[0-9]|1[0-7]):[0-5][0-9]|18:00)\\Z', value)
        ),
    }[rule.kind] -%}
    {%- if not is_valid -%}
        {{ kafka_cdc.raise_setting_error(setting=setting, value=value, valid=valid, hint=hint) }}
    {%- endif -%}

    {%- if rule.kind == 'types' -%}
        {%- for column, type in value.items() if type is not string or not modules.re.match('[A-Za-z]', type) -%}
            {{ kafka_cdc.raise_setting_error(
                setting=setting ~ '.' ~ column,
                value=type,
                valid="the name of one of the source database's types",
                hint=hint
            ) }}
        {%- endfor -%}
    {%- elif rule.kind in ['pattern', 'patterns', 'path', 'paths', 'columns'] -%}
        {%- set names = [value] if value is string else value -%}
        {%- for name in names if name is not string or not modules.re.match(rule.match ~ '\\Z', name) -%}
            {{ kafka_cdc.raise_setting_error(setting=setting, value=name, valid=rule.description, hint=hint) }}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}
