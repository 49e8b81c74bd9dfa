{#
  Returns the lines of the setting `tables`, checked once while dbt parses and once in a run.

  Returns: a list of dictionaries with all keys of a line. Keys that a line lacks are none.
    `table` is a glob on database[.schema].table, column_types is JSON text, and hold is 'true' or
    'false'. `columns` is a list of masks, see get_column_masks, and `references` a list,
    see get_references.
#}
{% macro get_table_settings() %}
    {%- set known = kafka_cdc.get_package_memory() -%}
    {%- if 'tables' not in known -%}
        {%- do known.update({'tables': kafka_cdc._read_tables()}) -%}
    {%- endif -%}
    {{ return(known.tables) }}
{% endmacro %}

{# Returns the checked lines of the setting `tables`. #}
{% macro _read_tables() %}
    {%- set lines = kafka_cdc.get_setting_list(
        setting='tables',
        valid='a list of lines',
        hint='write - {table: inventory.customers, key: [id]}'
    ) -%}

    {%- set rules = {
        'table': {
            'kind': 'pattern',
            'required': true,
            'match': '.+',
            'description': 'database[.schema].table, or a glob of * and ?',
            'example': 'inventory.*',
        },
        'source': {'kind': 'text'},
        'key': {'kind': 'columns', 'match': '.+', 'description': 'a column name', 'example': '[id]'},
        'column_types': {'kind': 'types', 'example': "{price: 'decimal(10,2)'}"},
        'columns': {'kind': 'mapping', 'example': '{email: {mask: hash}}'},
        'database_type': {
            'kind': 'choice',
            'valid': ['mysql', 'postgresql', 'oracle', 'sqlserver', 'db2', 'mongodb'],
        },
        'order_by': {'kind': 'choice', 'valid': ['sequence', 'offset', 'kafka_timestamp']},
        'on_truncate': {'kind': 'choice', 'valid': ['apply', 'keep', 'error', 'apply_by_time']},
        'on_drop': {'kind': 'choice', 'valid': ['apply', 'keep', 'error', 'apply_by_time']},
        'on_rename': {'kind': 'choice', 'valid': ['keep', 'apply']},
        'on_snapshot': {'kind': 'choice', 'valid': ['upsert', 'replace']},
        'on_tombstone': {'kind': 'choice', 'valid': ['ignore', 'delete']},
        'check_chains': {'kind': 'choice', 'valid': ['off', 'warn', 'hold']},
        'hold': {'kind': 'boolean'},
        'references': {'kind': 'references'},
    } -%}

    {%- set settings = [] -%}
    {%- for line in lines -%}
        {#- YAML reads a bare off as false. -#}
        {%- if line is mapping and line.check_chains is boolean and not line.check_chains -%}
            {%- set line = dict(line, check_chains='off') -%}
        {%- endif -%}
        {%- set name = kafka_cdc.get_entry_name('tables', line, loop.index) -%}
        {%- do kafka_cdc.check_setting_line(name, line, rules) -%}

        {%- set setting = {} -%}
        {%- for key in rules -%}
            {%- do setting.update({key: line.get(key)}) -%}
        {%- endfor -%}
        {%- if setting.column_types is not none -%}
            {%- do setting.update({'column_types': tojson(setting.column_types)}) -%}
        {%- endif -%}
        {%- if setting.columns is not none -%}
            {%- do setting.update({'columns': kafka_cdc.get_column_masks(
                setting=name,
                columns=setting.columns,
                key=setting.key
            )}) -%}
        {%- endif -%}
        {%- if setting.references is not none -%}
            {%- do setting.update({'references': kafka_cdc.get_references(
                setting=name,
                references=setting.references
            )}) -%}
        {%- endif -%}
        {%- if setting.hold is not none -%}
            {%- do setting.update({'hold': 'true' if setting.hold else 'false'}) -%}
        {%- endif -%}
        {%- do settings.append(setting) -%}
    {%- endfor -%}

    {{ return(settings) }}
{% endmacro %}
