{#
  Returns the number of the published version of a table, or none if there is none.

  The public views (changelog, current_rows, row_history) show the published version.

  An invocation asks once per table, and again after it has published (publish_version).

  Arguments:
    table (relation): the table.
    is_fresh (boolean): whether to ask again, because another run may have published.

  Returns: optional[integer].
#}
{% macro get_published_version(table, is_fresh=false) %}
    {%- if not execute -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set known = kafka_cdc.get_run_memory().setdefault('published_versions', {}) -%}
    {%- set name = table.schema ~ '.' ~ table.identifier -%}
    {%- if is_fresh or known.get(name) is none -%}
        {%- do known.update({name: kafka_cdc.get_table_format_macro('published_version')(table)}) -%}
    {%- endif -%}
    {{ return(known[name]) }}
{% endmacro %}
