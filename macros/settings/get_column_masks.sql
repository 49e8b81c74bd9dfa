{#
  Returns the masks of a line of the setting `tables`, checked.

  A key column can only be hashed. Any other mask would merge rows, so it is an error if the line
  names the key.

  Arguments:
    setting (string): the path of the line, such as tables[entry 1: shop.orders].
    columns (dict[string, any]): its setting `columns`, column name or glob to {mask: …}.
    key (optional[list[string]]): its key columns.

  Returns: a list of dictionaries, in the order of the setting. Each has `column`, a glob in lower
    case, and `mask`: hash, null, last4 or drop.
#}
{% macro get_column_masks(setting, columns, key=none) %}
    {%- set masks = [] -%}
    {%- for column, rule in columns.items() -%}
        {%- set name = setting ~ '.columns.' ~ column -%}
        {%- if column is not string or not column -%}
            {{ kafka_cdc.raise_setting_error(
                setting=setting ~ '.columns',
                value=column,
                valid='column names, or globs of * and ?',
                hint='put the name in quotes'
            ) }}
        {%- elif rule is not mapping or rule.keys() | list != ['mask'] -%}
            {{ kafka_cdc.raise_setting_error(
                setting=name,
                value=rule,
                valid='a mapping with mask',
                hint='for example {mask: hash}'
            ) }}
        {%- endif -%}

        {#- YAML reads a bare null as none. -#}
        {%- set mask = 'null' if rule.mask is none else rule.mask -%}
        {%- if mask not in ['hash', 'null', 'last4', 'drop'] -%}
            {{ kafka_cdc.raise_setting_error(
                setting=name ~ '.mask',
                value=mask,
                valid='hash, null, last4, drop',
                hint='write the value exactly as listed'
            ) }}
        {%- endif -%}
        {%- do masks.append({'column': column | lower, 'mask': mask}) -%}
    {%- endfor -%}

    {%- for key_column in key or [] -%}
        {%- set own_masks = [] -%}
        {%- for rule in masks if kafka_cdc.has_glob_match(key_column | lower, rule.column) -%}
            {%- do own_masks.append(rule.mask) -%}
        {%- endfor -%}
        {%- if own_masks and own_masks[0] != 'hash' -%}
            {{ kafka_cdc.raise_setting_error(
                setting=setting ~ '.columns',
                value=own_masks[0],
                valid='hash for the key column ' ~ key_column,
                hint='any other mask of a key column would merge rows'
            ) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(masks) }}
{% endmacro %}
