{#
  Replaces the rows of a seed's table by those of its file, unless they are the same.

  Arguments:
    model (dict[string, any]): the node of the seed.
    agate_table (any): the rows of the file.

  Returns: the SQL that it has sent, or ''.
#}
{% macro spark__load_csv_rows(model, agate_table) %}
    {%- set loaded = kafka_cdc.get_run_memory().pop('loaded_seed', none) -%}
    {%- set rows = agate_table.rows | map('list') | map('string') | sort -%}
    {%- if loaded and loaded.rows | map('list') | map('string') | sort == rows -%}
        {{ return('') }}
    {%- endif -%}

    {%- set types = model.config.get('column_types', {}) -%}
    {%- set sql -%}
        insert overwrite {{ this }}
        select
            {%- for name in agate_table.column_names %}
            cast(col{{ loop.index }} as {{ types.get(name, adapter.convert_type(agate_table, loop.index0)) }})
            {{- ',' if not loop.last }}
            {%- endfor %}
        from values
        {%- for row in agate_table.rows %}
            (
                {%- for value in row -%}
                {{ kafka_cdc.sql_literal(none if value is none else value | string) }}{{ ', ' if not loop.last }}
                {%- endfor -%}
            )
            {{- ',' if not loop.last }}
        {%- endfor %}
    {%- endset -%}
    {%- do run_query(sql) -%}
    {{ return(sql) }}
{% endmacro %}
