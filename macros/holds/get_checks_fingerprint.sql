{#
  Returns a fingerprint of everything that the findings about tables depend on.

  It covers their SQL, which contains the settings, the views that it reads, and the versions of the
  tables. Equal fingerprints mean equal findings.

  Arguments:
    query (string): SQL of the findings.
    views (list[relation]): the views that it reads.
    tables (list[relation]): the tables that it and its views read, and table_holds.

  Returns: optional[string]; none if a view or table does not exist yet, or if nothing is run.
#}
{% macro get_checks_fingerprint(query, views, tables) %}
    {%- if not execute or flags.WHICH not in ['run', 'build'] -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set parts = [query] -%}
    {%- for view in views -%}
        {#- Its query alone: record_checks_fingerprint writes a property of the view. -#}
        {%- set statement = kafka_cdc.get_view_statement(view) if kafka_cdc.had_view_at_start(view) else none -%}
        {%- do parts.append(none if statement is none else modules.re.split('\nAS\\s', statement, 1)[1]) -%}
    {%- endfor -%}
    {%- for table in tables -%}
        {#- A table that was created without rows may have no version. -#}
        {%- do parts.append(none if load_relation(table) is none else kafka_cdc.get_latest_version(table) or '') -%}
    {%- endfor -%}
    {{ return(none if none in parts else local_md5(tojson(parts))) }}
{% endmacro %}
