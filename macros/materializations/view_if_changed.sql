{#
  The materialization of the project's views: dbt's `view`, but it creates a view only if its SQL has changed.

  Spark takes about half a second to analyze a staging view. For all formats that is longer than
  Spark's start. A view is unchanged if it exists and a run has recorded the fingerprint of its SQL.
  Readers find the old query or the new one, never a missing view, unless persist_docs describes
  columns. --full-refresh creates the view again.

  Views must name their columns. Iceberg views bind columns by position, so `select *` would return
  wrong values after an upstream column was added. A rule of the repository checks this.
#}
{% materialization view_if_changed, adapter='spark' %}
    {%- set view = this.incorporate(type='view') -%}
    {%- set exists = kafka_cdc.had_view_at_start(this) -%}
    {%- set fingerprint = kafka_cdc.get_view_fingerprint(sql) -%}
    {%- do kafka_cdc.get_run_memory().setdefault('built_views', []).append(model.name) -%}

    {%- if exists and not should_full_refresh() and kafka_cdc.is_recorded_fingerprint(model.name, fingerprint) -%}
        {{ return(kafka_cdc.skip_materialization(view, 'unchanged')) }}
    {%- endif -%}

    {%- do kafka_cdc.begin_change(model.name) -%}
    {%- if should_full_refresh() or not exists or config.persist_column_docs() or config.persist_relation_docs() -%}
        {%- set result = create_or_replace_view() -%}
    {%- else -%}
        {{ run_hooks(pre_hooks) }}
        {%- call statement('main') -%}
            {{ kafka_cdc.get_table_format_macro('replace_view')(view, sql) }}
        {%- endcall -%}
        {%- do apply_grants(view, config.get('grants'), should_revoke=should_revoke(true, full_refresh_mode=true)) -%}
        {{ run_hooks(post_hooks) }}
        {%- set result = {'relations': [view]} -%}
    {%- endif -%}
    {%- do kafka_cdc.record_fingerprint(model.name, fingerprint) -%}
    {{ return(result) }}
{% endmaterialization %}
