{#
  Returns the one published source table of a name. It raises an error if there is none, or several.

  Arguments:
    published (dict[string, any]): from get_published_tables.
    table (string): database[.schema].table.
    source (optional[string]): the stream.
    tenant (optional[string]): the tenant.

  Returns: an entry of published.tables.
#}
{% macro find_published_table(published, table, source=none, tenant=none) %}
    {%- set matching, descriptions = [], [] -%}
    {%- for entry in published.tables -%}
        {%- set is_source = source in [none, entry.tables.source_name] -%}
        {%- if entry.path == table and is_source and tenant in [none, entry.tables.source_tenant] -%}
            {%- do matching.append(entry) -%}
        {%- endif -%}
        {%- do descriptions.append(entry.path ~ ' of source ' ~ entry.tables.source_name) -%}
    {%- endfor -%}

    {%- if not matching -%}
        {{ kafka_cdc.raise_error(
            'no published table ' ~ table ~ (' of source ' ~ source if source is not none else '') ~ ', for ' ~ this,
            'published are ' ~ (descriptions[:20] | join('; ') or 'no tables')
                ~ ('; and more' if descriptions | length > 20 else '')
                ~ '; the view held_tables has tables that are held'
        ) }}
    {%- elif matching | length > 1 -%}
        {%- set choices = matching | map(attribute='tables') | map(attribute='source_name') | unique | join(', ') -%}
        {%- set tenants = matching | map(attribute='tables') | map(attribute='source_tenant') | unique | join(', ') -%}
        {{ kafka_cdc.raise_error(
            'several streams have a table ' ~ table ~ ', for ' ~ this,
            'set source to one of ' ~ choices if source is none else 'set tenant to one of ' ~ tenants
        ) }}
    {%- endif -%}
    {{ return(matching[0]) }}
{% endmacro %}
