{#
  Completes an interrupted publication, or raises an error, before a run that does not publish writes
  typed tables.

  The tables of a publication get their versions one after the other, and the view effective_events
  follows. If the published statistics name events that are not published, only a build can tell
  what may be published. A view that does not show all of them is replaced.

  A run that publishes itself needs no check. The others ask once.

  Arguments:
    relations (dict[string, relation]): events, batch_stats, compacted_events and effective_events.
#}
{% macro check_publication_is_complete(relations) %}
    {%- set memory = kafka_cdc.get_run_memory() -%}
    {%- if memory.get('tested_versions') or memory.get('is_publication_complete') -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set is_published = [] -%}
    {%- for table in [relations.batch_stats, relations.events] -%}
        {%- set version = kafka_cdc.get_published_version(table) -%}
        {%- do is_published.append(
            version == kafka_cdc.get_latest_version(table)
            or kafka_cdc.get_equivalent_version(table, version) is not none
        ) -%}
    {%- endfor -%}
    {%- if is_published == [true, false] -%}
        {{ kafka_cdc.raise_error(
            'the last build ended before it had published everything',
            'run dbt build: it publishes, and then builds the typed models'
        ) }}
    {%- endif -%}

    {%- set query = kafka_cdc.select_effective_events(relations.events, relations.compacted_events) | trim -%}
    {%- if not kafka_cdc.get_view_statement(relations.effective_events).endswith(query) -%}
        {%- set view = relations.effective_events.incorporate(type='view') -%}
        {%- do run_query(kafka_cdc.get_table_format_macro('replace_view')(view, query)) -%}
    {%- endif -%}
    {%- do memory.update({'is_publication_complete': true}) -%}
{% endmacro %}
