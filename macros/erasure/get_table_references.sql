{#
  Returns the references between tables, from `references` of the setting `tables`.

  A name without a table is an error, because a misspelled one would leave rows.

  Arguments:
    tables (dict[string, any]): what get_tables_of_events returns.

  Returns: a list of dictionaries:
    * setting: the path of the reference.
    * from, to: the names of the tables.
    * columns: a dictionary of column to referenced column.
#}
{% macro get_table_references(tables) %}
    {%- set by_path = {} -%}
    {%- for table in tables.values() -%}
        {%- do by_path.setdefault(table.path, []).append(table) -%}
    {%- endfor -%}

    {%- set references = [] -%}
    {%- for line in kafka_cdc.get_table_settings() if line.references is not none -%}
        {%- set is_name = '*' not in line.table and '?' not in line.table -%}
        {%- set matching = [] -%}
        {%- for table in (by_path.get(line.table, []) if is_name else tables.values())
                if line.source in [none, table.tables.source_name] -%}
            {%- if is_name or kafka_cdc.has_glob_match(table.path, line.table) -%}
                {%- do matching.append(table) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if not matching -%}
            {{ kafka_cdc.raise_error(
                'no table' ~ (' of source ' ~ line.source if line.source is not none else '') ~ ' matches '
                    ~ line.table ~ ', which has references',
                'correct the entry in tables, or remove its references; ' ~ kafka_cdc._list_tables(tables)
            ) }}
        {%- endif -%}

        {%- for reference in line.references -%}
            {%- for table in matching -%}
                {%- set target = kafka_cdc._get_referenced_table(reference, table, by_path, tables) -%}
                {%- if target is not none -%}
                    {%- do references.append({
                        'setting': reference.setting,
                        'from': table.name,
                        'to': target.name,
                        'columns': reference.columns,
                    }) -%}
                {%- endif -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(references) }}
{% endmacro %}

{#
  Returns the table that a table references, or none if its tenant has no such table.

  Without `source` it is of the same source. Without `tenant` it is of the same tenant. If another
  source does not have this tenant, its only one counts.
#}
{% macro _get_referenced_table(reference, table, by_path, tables) %}
    {%- set source_name = table.tables.source_name if reference.source is none else reference.source -%}
    {%- set source_tenant = table.tables.source_tenant if reference.tenant is none else reference.tenant -%}
    {%- set candidates, tenants = [], [] -%}
    {%- for candidate in by_path.get(reference.table, []) if candidate.tables.source_name == source_name -%}
        {%- do candidates.append(candidate) -%}
        {%- do tenants.append(candidate.tables.source_tenant) -%}
    {%- endfor -%}

    {%- if source_tenant in tenants -%}
        {{ return(candidates[tenants.index(source_tenant)]) }}
    {%- elif not candidates or reference.tenant is not none -%}
        {{ kafka_cdc.raise_error(
            reference.setting ~ '.table is ' ~ reference.table ~ ', but source ' ~ source_name
                ~ (', tenant ' ~ source_tenant if source_tenant else '') ~ ' has no such table',
            'correct the name, or set source and tenant of the referenced table; ' ~ kafka_cdc._list_tables(tables)
        ) }}
    {%- elif reference.source is none -%}
        {{ return(none) }}
    {%- elif candidates | length > 1 -%}
        {{ kafka_cdc.raise_error(
            reference.setting ~ '.table is ambiguous: ' ~ reference.table ~ ' of source ' ~ source_name
                ~ ' has the tenants ' ~ tenants | join(', '),
            'set tenant in this reference'
        ) }}
    {%- endif -%}
    {{ return(candidates[0]) }}
{% endmacro %}

{# Returns the names of the first tables, for hints. #}
{% macro _list_tables(tables) %}
    {%- set names = tables.keys() | list -%}
    {{ return('there are: ' ~ names[:20] | join('; ') ~ ('; and more' if names | length > 20 else '')) }}
{% endmacro %}
