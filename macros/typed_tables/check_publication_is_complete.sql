{#
  Completes an interrupted publication, or raises an error, before a run writes typed tables.

  The tables of a publication get their versions one after the other, and the views of the state
  follow. If the published statistics name events that are not published, only a build can tell what
  may be published. A view whose SQL is not that of the published versions and of the settings is
  replaced. It may lack batches, or still withhold those of a table whose hold has ended. The typed
  table would count them as read.

  A run needs no check of what it builds itself. The others ask once: the first typed table asks, and
  those that are built at the same time wait for it, at most a minute. If it raised the error, they
  raise it at once.

  Arguments:
    relations (dict[string, relation]): events, batch_stats, table_holds and merged_rows.
#}
{% macro check_publication_is_complete(relations) %}
    {%- set memory = kafka_cdc.get_run_memory() -%}
    {%- if memory.setdefault('publication_checked_by', model.unique_id) != model.unique_id -%}
        {#- Two threads cannot replace a view at once. -#}
        {%- for _ in range(600) if 'is_publication_complete' not in memory -%}
            {%- do run_query("select reflect('java.lang.Thread', 'sleep', 100L)") -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if memory.get('is_publication_complete') -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set is_published = [] -%}
    {%- for table in [relations.batch_stats, relations.events] if not memory.get('tested_versions') -%}
        {%- set version = kafka_cdc.get_published_version(table) -%}
        {%- do is_published.append(
            version == kafka_cdc.get_latest_version(table)
            or kafka_cdc.get_equivalent_version(table, version) is not none
        ) -%}
    {%- endfor -%}
    {%- if is_published == [true, false] -%}
        {%- do memory.update({'is_publication_complete': false}) -%}
        {{ kafka_cdc.raise_error(
            'the last build ended before it had published everything',
            'run dbt build: it publishes, and then builds the typed models'
        ) }}
    {%- endif -%}

    {%- for name in ['current_rows', 'row_history'] if name not in memory.get('built_views', []) -%}
        {%- set view = kafka_cdc.get_model_relation(name) -%}
        {%- if view is not none and kafka_cdc.had_view_at_start(view) -%}
            {%- set query = kafka_cdc._get_view_query(name, relations) | trim -%}
            {%- if not kafka_cdc.is_recorded_fingerprint(name, kafka_cdc.get_view_fingerprint(query)) -%}
                {%- do kafka_cdc.replace_view(view, query) -%}
            {%- endif -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do memory.update({'is_publication_complete': true}) -%}
{% endmacro %}

{# Returns the SQL of a view of the state for the published versions, as its model has it. #}
{% macro _get_view_query(name, relations) %}
    {%- set batch_stats = kafka_cdc.published_relation(relations.batch_stats) -%}
    {%- set facts = kafka_cdc.get_stream_facts(relations.batch_stats, is_published=true) -%}
    {%- set holds = kafka_cdc.get_holds(relations.table_holds, is_published=true) -%}
    {%- if name == 'current_rows' -%}
        {{ return(kafka_cdc.select_published_rows(relations, facts, holds)) }}
    {%- endif -%}
    {%- set events = kafka_cdc.published_relation(relations.events) -%}
    {{ return(kafka_cdc.select_row_versions(events, batch_stats, facts, holds)) }}
{% endmacro %}
