{#
  Hook before typed tables are built: completes an interrupted publication, or records that only a
  build can complete it. get_typed_table_plan then raises an error.

  The tables of a publication get their versions one after the other, and the views of the state
  follow. If the published statistics name events that are not published, only a build can tell what
  may be published. A view whose SQL is not that of the published versions and of the settings is
  replaced. It may lack batches, or still withhold those of a table whose hold has ended. The typed
  table would count them as read.

  A run that publishes calls it after the publication, and others call it at their start. It prints
  nothing.

  Arguments:
    has_published (boolean): whether the run has published.
#}
{% macro complete_publication(has_published) %}
    {#- While dbt parses: the models that the views of the state read. -#}
    {%- for name in ['events', 'event_batch_stats', 'table_holds', 'merged_rows'] if not execute -%}
        {%- do ref('kafka_cdc', name) -%}
    {%- endfor -%}
    {%- if execute and flags.WHICH in ['run', 'build']
        and has_published == ('model.kafka_cdc.changelog' in selected_resources)
        and kafka_cdc._builds_typed_tables() -%}
        {%- set relations = {
            'events': kafka_cdc.get_model_relation('events'),
            'batch_stats': kafka_cdc.get_model_relation('event_batch_stats'),
            'table_holds': kafka_cdc.get_model_relation('table_holds'),
            'merged_rows': kafka_cdc.get_model_relation('merged_rows'),
        } -%}
        {%- set is_built = relations.batch_stats is not none and kafka_cdc.has_table(relations.batch_stats) -%}
        {%- if is_built and not has_published
            and kafka_cdc._is_published(relations.batch_stats)
            and not kafka_cdc._is_published(relations.events) -%}
            {%- do kafka_cdc.get_run_memory().update({'is_publication_incomplete': true}) -%}
        {%- endif -%}

        {%- for name in ['current_rows', 'row_history']
            if is_built and 'model.kafka_cdc.' ~ name not in selected_resources -%}
            {%- set view = kafka_cdc.get_model_relation(name) -%}
            {%- if view is not none and kafka_cdc.had_view_at_start(view) -%}
                {%- set query = kafka_cdc._get_view_query(name, relations) | trim -%}
                {%- if not kafka_cdc.is_recorded_fingerprint(name, kafka_cdc.get_view_fingerprint(query)) -%}
                    {%- do kafka_cdc.replace_view(view, query) -%}
                {%- endif -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

{# Returns whether the run builds a typed table. #}
{% macro _builds_typed_tables() %}
    {%- for node in graph.nodes.values() if node.unique_id in selected_resources -%}
        {%- if node.config.materialized == 'typed_table' -%}
            {{ return(true) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(false) }}
{% endmacro %}

{# Returns whether the latest version of a table is published, or one with the same content. #}
{% macro _is_published(table) %}
    {%- set version = kafka_cdc.get_published_version(table) -%}
    {{ return(
        version == kafka_cdc.get_latest_version(table)
        or kafka_cdc.get_equivalent_version(table, version) is not none
    ) }}
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
