{#
  Two steps by which dbt loads a seed. A table with the rows of its file is left as it is.

  dbt for Spark drops and creates a seed in each run, so that other runs miss the table for two
  seconds. Here a table with the columns of the file stays, and one commit replaces its rows. Two
  runs at once cannot load them twice. --full-refresh creates the table again. A project that
  installs this package keeps dbt's own way.
#}
{% macro spark__reset_csv_table(model, full_refresh, old_relation, agate_table) %}
    {%- set loaded = run_query('select * from ' ~ old_relation) -%}
    {%- if full_refresh or loaded.column_names | list != agate_table.column_names | list -%}
        {{ return(dbt_spark.spark__reset_csv_table(model, full_refresh, old_relation, agate_table)) }}
    {%- endif -%}
    {%- do kafka_cdc.get_run_memory().update({'loaded_seed': loaded}) -%}
    {{ return('') }}
{% endmacro %}


{# Replaces the rows of a seed's table by those of its file, unless they are the same. Returns the SQL. #}
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
