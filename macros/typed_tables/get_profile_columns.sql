{#
  Returns the typed columns of a table, from its profile.

  Arguments:
    stream (dict[string, any]): the table, with `path`, `tables` and `shards`.
    profile (dict[string, any]): from get_table_profile.
    reserved_names (list[string]): names that no typed column may have.
    known_columns (list[dict[string, any]]): the columns of the table, whose names stay.

  Returns: a list, see get_typed_columns.
#}
{% macro get_profile_columns(stream, profile, reserved_names, known_columns=[]) %}
    {%- set rows = [] -%}
    {%- for name, column in profile.columns.items() -%}
        {%- do rows.append({
            'name': name,
            'position': column.position,
            'types': column.types,
            'value_types': column.value_types,
            'has_numbers': column.has_numbers,
        }) -%}
    {%- endfor -%}
    {%- set settings = kafka_cdc._get_settings_of_table(stream) -%}
    {{ return(kafka_cdc.get_typed_columns(
        dict(stream, formats=profile.formats, key=profile.key, **settings),
        rows | sort(attribute='position,name') | list,
        reserved_names,
        known_columns
    )) }}
{% endmacro %}

{# Returns column_types and database_type of the setting `tables` for a table and its shards, a mapping. #}
{% macro _get_settings_of_table(stream) %}
    {%- set unset = 'cast(null as string)' -%}
    {%- set column_types = kafka_cdc.table_setting('column_types', unset) -%}
    {%- set database_type = kafka_cdc.table_setting('database_type', unset) -%}
    {%- if column_types | trim == unset and database_type | trim == unset -%}
        {{ return({'column_types': none, 'database_type': none}) }}
    {%- endif -%}
    {%- set query -%}
        select distinct
            {{ column_types }} as column_types,
            {{ database_type }} as database_type
        from (
            {%- for shard in stream.shards %}
            {{ 'union all ' if not loop.first }}select
                {%- for column in kafka_cdc.get_table_columns() %}
                {{ kafka_cdc.sql_literal(shard.tables[column]) }} as {{ column }}{{ ',' if not loop.last }}
                {%- endfor %}
            {%- endfor %}
        ) as table_parts
    {%- endset -%}
    {%- set rows = run_query(query).rows -%}
    {%- if rows | length > 1 -%}
        {{ kafka_cdc.raise_error(
            'the setting tables has different types for the shards of ' ~ stream.path ~ ', for ' ~ this,
            'set column_types and database_type in one entry, - table: ' ~ tojson(stream.path)
        ) }}
    {%- endif -%}
    {%- set row = rows[0] -%}
    {{ return({
        'column_types': fromjson(row.column_types or 'null'),
        'database_type': row.database_type,
    }) }}
{% endmacro %}
