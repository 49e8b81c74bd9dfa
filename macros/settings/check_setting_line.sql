{#
  Stops dbt unless a line of `topics`, `tables` or `sequence_resets` has the keys it must have and no other, each with a valid value.
  name: of the line, for messages ("topics[2]"). rules: key → {kind: text|pattern|patterns|columns|types|integer|choice|timezone,
  needed: true|false, valid: [choices]}.
#}
{% macro check_setting_line(name, line, rules) %}
    {%- if line is not mapping -%}
        {{ kafka_cdc.raise_setting_error(name, line, 'a mapping with ' ~ rules.keys() | join(', '), 'write it as {key: value, …}') }}
    {%- endif -%}
    {%- for key in line if key not in rules -%}
        {{ kafka_cdc.raise_setting_error(name ~ '.' ~ key, line[key], 'the keys ' ~ rules.keys() | join(', '), 'no such key: is it misspelt?') }}
    {%- endfor -%}
    {%- for key, rule in rules.items() -%}
        {%- set setting, value = name ~ '.' ~ key, line.get(key) -%}
        {%- if value is none -%}
            {%- if rule.needed or key in line -%}
                {{ kafka_cdc.raise_setting_error(setting, value, rule.get('valid', ['a ' ~ rule.kind]) | join(', '), 'it has no value') }}
            {%- endif -%}
        {%- elif rule.kind == 'choice' and value not in rule.valid -%}
            {{ kafka_cdc.raise_setting_error(setting, value, rule.valid | join(', '), rule.get('hint', 'values are written exactly so')) }}
        {%- elif rule.kind == 'text' and (value is not string or not value)
                or rule.kind == 'timezone' and value not in modules.pytz.all_timezones
                and (value is not string or not modules.re.match('[+-](0[0-9]|1[0-8]):[0-5][0-9]\\Z', value)) -%}
            {{ kafka_cdc.raise_setting_error(setting, value, 'an IANA time zone' if rule.kind == 'timezone' else 'a text',
                            'for example Asia/Shanghai or +08:00' if rule.kind == 'timezone' else 'put it in quotes') }}
        {%- elif rule.kind == 'integer' and (value is not integer or value is boolean or value < 0) -%}
            {{ kafka_cdc.raise_setting_error(setting, value, 'a whole number from 0', 'write it without quotes') }}
        {%- elif rule.kind == 'types' and value is not mapping -%}
            {{ kafka_cdc.raise_setting_error(setting, value, 'a mapping of columns to type names', 'for example ' ~ rule.example) }}
        {%- elif rule.kind == 'types' -%}
            {%- for column, type in value.items() if type is not string or not modules.re.match('[A-Za-z]', type) -%}
                {{ kafka_cdc.raise_setting_error(setting ~ '.' ~ column, type, "the name of one of the source database's types", 'for example ' ~ rule.example) }}
            {%- endfor -%}
        {%- elif rule.kind in ['pattern', 'patterns', 'columns'] -%}
            {%- set values = [value] if value is string else value -%}
            {%- if values is mapping or values is not iterable or not values
                    or (value is string) and rule.kind == 'columns' or (value is not string) and rule.kind == 'pattern' -%}
                {{ kafka_cdc.raise_setting_error(setting, value, {'pattern': 'a name or glob', 'patterns': 'a name, a glob or a list of them',
                                'columns': 'a list of column names'}[rule.kind], 'for example ' ~ rule.example) }}
            {%- endif -%}
            {%- for one in values if one is not string or not modules.re.match(rule.match ~ '\\Z', one) -%}
                {{ kafka_cdc.raise_setting_error(setting, one, rule.says, 'for example ' ~ rule.example) }}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}
