{#
  Prepares the table of a seed. dbt then loads its rows (spark__load_csv_rows).

  dbt for Spark drops and creates a seed in each run, so that other runs miss the table for two
  seconds. Here a table with the columns of the file stays, and one commit replaces its rows. Two
  runs at once cannot load them twice. --full-refresh creates the table again. A project that
  installs this package keeps dbt's own way.

  Arguments:
    model (dict[string, any]): the node of the seed.
    full_refresh (boolean): whether the table is created again.
    old_relation (relation): the table.
    agate_table (any): the rows of the file.

  Returns: the SQL that it has sent, or ''.
#}
{% macro spark__reset_csv_table(model, full_refresh, old_relation, agate_table) %}
    {%- set loaded = run_query('select * from ' ~ old_relation) -%}
    {%- if full_refresh or loaded.column_names | list != agate_table.column_names | list -%}
        {%- do adapter.drop_relation(old_relation) -%}
        {{ return(create_csv_table(model, agate_table)) }}
    {%- endif -%}
    {%- do kafka_cdc.get_run_memory().update({'loaded_seed': loaded}) -%}
    {{ return('') }}
{% endmacro %}
