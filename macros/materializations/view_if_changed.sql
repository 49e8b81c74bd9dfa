{#
  The materialization of the project's views: dbt's `view`, but it recreates a view only if its SQL has changed.

  Spark takes about half a second to analyze a staging view. For all formats that is longer than
  Spark's start. Readers find the old query or the new one, never a missing view, unless persist_docs
  describes columns. --full-refresh recreates the view.

  Views must name their columns. Iceberg views bind columns by position, so `select *` would return
  wrong values after an upstream column was added. A rule of the repository checks this.
#}
{% materialization view_if_changed, adapter='spark' %}
    {%- set comments = '(?:\\s|--[^\\n]*(?:\\n|$))+' -%}
    {%- set query = modules.re.sub(comments ~ '$', '', modules.re.sub('^' ~ comments, '', sql)) -%}
    {%- set view = this.incorporate(type='view') -%}
    {%- do kafka_cdc.get_run_memory().setdefault('view_queries', {}).update({model.unique_id: query}) -%}
    {%- set existing_query = kafka_cdc.get_view_statement(this) if kafka_cdc.had_view_at_start(this) else '' -%}

    {%- if not should_full_refresh() and existing_query.endswith(('AS\n' ~ query, 'AS ' ~ query)) -%}
        {{ return(kafka_cdc.skip_materialization(view, 'unchanged')) }}
    {%- elif should_full_refresh() or not existing_query or config.persist_column_docs() or config.persist_relation_docs() -%}
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
