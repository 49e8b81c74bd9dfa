{#
  The materialization of this project's views: as dbt's `view`, but made anew only where its SQL has changed (or with --full-refresh), or
  ends in `select *`: a view of Iceberg keeps its columns by their place, and would show another's values where one comes or goes below it.
  Spark takes about half a second to parse and check a staging view, for twenty formats longer than it takes to start. Readers find the one
  or the other query, never none, unless columns are described in the views (persist_docs).
#}
{% materialization view_if_changed, adapter='spark' %}
    {%- set comments = '(?:\\s|--[^\\n]*(?:\\n|$))+' -%}
    {%- set query = modules.re.sub(comments ~ '$', '', modules.re.sub('^' ~ comments, '', sql)) -%}
    {%- set known, view = kafka_cdc.get_view_statement(this) if kafka_cdc.had_view_at_start(this) else '', this.incorporate(type='view') -%}
    {%- if not should_full_refresh() and not kafka_cdc._selects_all(query) and known.endswith(('AS\n' ~ query, 'AS ' ~ query)) -%}
        {{ return(kafka_cdc.skip_materialization(view, 'unchanged')) }}
    {%- elif should_full_refresh() or not known or config.persist_column_docs() or config.persist_relation_docs() -%}
        {{ return(create_or_replace_view()) }}
    {%- endif -%}
    {{ run_hooks(pre_hooks) }}
    {%- call statement('main') -%}
        {{ kafka_cdc.get_table_format_macro('replace_view')(view, sql) }}
    {%- endcall -%}
    {%- do apply_grants(view, config.get('grants'), should_revoke=should_revoke(true, full_refresh_mode=true)) -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [view]}) }}
{% endmaterialization %}

{# Returns whether a query's outermost select, the one that is indented least, begins with `*`, of all or of one relation. #}
{% macro _selects_all(query) %}
    {%- set selects = modules.re.findall('(?mi)^([ \\t]*)select\\s+((?:[\\w`]+[.])?[*])?', query) -%}
    {%- set outermost = selects | selectattr(0, 'equalto', selects | map(attribute=0) | min) | map(attribute=1) | select | list -%}
    {{ return(outermost != [] or modules.re.search('(?i)[)]\\s*select\\s+(?:[\\w`]+[.])?[*]', query) is not none) }}
{% endmacro %}
