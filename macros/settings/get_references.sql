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
{% macro get_references(setting, references) %}
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
