{#
  Asks for the versions of tables (get_versions), by one query in Iceberg. They replace what the run knows.

  Arguments:
    tables (list[relation]): the tables. They must exist.
#}
{% macro refresh_versions(tables) %}
    {%- set names = {} -%}
    {%- for table in tables -%}
        {%- do names.update({table.schema ~ '.' ~ table.identifier: table}) -%}
    {%- endfor -%}
    {%- set known = kafka_cdc.get_run_memory().setdefault('versions', {}) -%}
    {%- do known.update(kafka_cdc.get_table_format_macro('table_versions')(names)) -%}
{% endmacro %}
