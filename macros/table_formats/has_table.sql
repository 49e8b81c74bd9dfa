{#
  Returns whether a table or view exists.

  A run does not look again for what it has found, because dbt compares the name with each relation
  of the schema.

  Arguments:
    table (relation): the table or view.

  Returns: a boolean.
#}
{% macro has_table(table) %}
    {%- set known = kafka_cdc.get_run_memory().setdefault('tables', {}) -%}
    {%- set name = table | string -%}
    {%- if not known.get(name) -%}
        {%- do known.update({name: load_relation(table) is not none}) -%}
    {%- endif -%}
    {{ return(known[name]) }}
{% endmacro %}
