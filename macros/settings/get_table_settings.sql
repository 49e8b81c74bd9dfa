{#
  Returns the lines of the setting `tables`, checked once while dbt parses and once in a run.

  Returns: a list of dictionaries with all keys of a line. Keys that a line lacks are none.
    `table` is a glob on database[.schema].table, column_types is JSON text, and hold is 'true' or
    'false'. `columns` is a list of masks, see get_column_masks, and `references` a list,
    see _get_references.
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
            {%- do setting.update({'references': kafka_cdc._get_references(
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

{#
  Returns the references of a line of the setting `tables`, checked.

  Arguments:
    setting (string): the path of the line, such as tables[entry 1: shop.orders].
    references (any): its setting `references`, a list of mappings with table and columns.

  Returns: a list of dictionaries:
    * setting: the path of the reference.
    * table, source, tenant: the referenced table. Its source and tenant are none if they are the
      same as those of the referencing table.
    * columns: a dictionary of column to referenced column.
#}
{% macro _get_references(setting, references) %}
    {%- set example = 'for example [{table: inventory.customers, columns: {customer_id: id}}]' -%}
    {%- if references is string or references is mapping or references is not iterable or not references -%}
        {{ kafka_cdc.raise_setting_error(
            setting=setting ~ '.references',
            value=references,
            valid='a list of references',
            hint=example
        ) }}
    {%- endif -%}

    {%- set rules = {
        'table': {
            'kind': 'pattern',
            'required': true,
            'match': '[^*?]+',
            'description': 'database[.schema].table without a glob',
            'example': 'inventory.customers',
        },
        'source': {'kind': 'text'},
        'tenant': {'kind': 'text'},
        'columns': {'kind': 'mapping', 'required': true, 'example': '{customer_id: id}'},
    } -%}
    {%- set checked = [] -%}
    {%- for reference in references -%}
        {%- set name = kafka_cdc.get_entry_name(setting ~ '.references', reference, loop.index) -%}
        {%- do kafka_cdc.check_setting_line(name, reference, rules) -%}
        {%- for column, referenced in reference.columns.items() -%}
            {%- if column is not string or referenced is not string -%}
                {{ kafka_cdc.raise_setting_error(
                    setting=name ~ '.columns',
                    value=reference.columns,
                    valid='column names of the table to column names of ' ~ reference.table,
                    hint='put the names in quotes'
                ) }}
            {%- endif -%}
        {%- endfor -%}
        {%- do checked.append({
            'setting': name,
            'table': reference.table,
            'source': reference.get('source'),
            'tenant': reference.get('tenant'),
            'columns': reference.columns,
        }) -%}
    {%- endfor -%}
    {{ return(checked) }}
{% endmacro %}
