{#
  Returns the lines of the setting `tables` after checking them: table (a glob on database[.schema].table), source, key,
  column_types (as JSON), database_type, order_by and the policies, each none where a line does not say it.
#}
{% macro get_table_settings() %}
    {%- set lines = var('tables', []) or [] -%}
    {%- if lines is string or lines is mapping or lines is not iterable -%}
        {{ kafka_cdc.raise_setting_error('tables', lines, 'a list of lines', 'write - {table: inventory.customers, key: [id]}') }}
    {%- endif -%}
    {%- set rules = {
        'table': {'kind': 'pattern', 'needed': true, 'match': '.+', 'example': 'inventory.*',
                  'says': 'database[.schema].table, or a glob of * and ?'},
        'source': {'kind': 'text'},
        'key': {'kind': 'columns', 'match': '.+', 'says': 'a column name', 'example': '[id]'},
        'column_types': {'kind': 'types', 'example': "{price: 'decimal(10,2)'}"},
        'database_type': {'kind': 'choice', 'valid': ['mysql', 'postgresql', 'oracle', 'sqlserver', 'db2', 'mongodb']},
        'order_by': {'kind': 'choice', 'valid': ['sequence', 'offset', 'kafka_timestamp']},
        'on_truncate': {'kind': 'choice', 'valid': ['apply', 'keep', 'error', 'apply_by_time']},
        'on_drop': {'kind': 'choice', 'valid': ['apply', 'keep', 'error', 'apply_by_time']},
        'on_rename': {'kind': 'choice', 'valid': ['keep', 'apply']},
        'on_snapshot': {'kind': 'choice', 'valid': ['upsert', 'replace']},
        'on_tombstone': {'kind': 'choice', 'valid': ['ignore', 'delete']},
    } -%}
    {%- set settings = [] -%}
    {%- for line in lines -%}
        {%- do kafka_cdc.check_setting_line('tables[' ~ loop.index0 ~ ']', line, rules) -%}
        {%- set setting = {} -%}
        {%- for key in rules %}{% do setting.update({key: line.get(key)}) %}{% endfor -%}
        {%- if setting.column_types is not none %}{% do setting.update({'column_types': tojson(setting.column_types)}) %}{% endif -%}
        {%- do settings.append(setting) -%}
    {%- endfor -%}
    {{ return(settings) }}
{% endmacro %}
