{#
  Replaces the rows of a seed's table by those of its file, unless they are the same.

  Arguments:
    model (dict[string, any]): the node of the seed.
    agate_table (any): the rows of the file.

  Returns: the SQL that it has sent, or ''.
#}
{% macro spark__load_csv_rows(model, agate_table) %}
    {%- set loaded = kafka_cdc.get_run_memory().pop('loaded_seed', none) -%}
    {%- if loaded and loaded.rows | map('list') | map('tojson') | sort == agate_table.rows | map('list') | map('tojson') | sort -%}
        {{ return('') }}
    {%- endif -%}

    {%- set sql -%}
        insert overwrite {{ this }} values
        {%- for row in agate_table.rows %}
            ({% for value in row %}{{ kafka_cdc.sql_literal(value) }}{{ ', ' if not loop.last }}{% endfor %})
            {{- ',' if not loop.last }}
        {%- endfor %}
    {%- endset -%}
    {%- do run_query(sql) -%}
    {{ return(sql) }}
{% endmacro %}
