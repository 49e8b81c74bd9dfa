{#
  Replaces the views of rows before a publication that they do not fit yet.

  These are changelog, current_rows, row_history and split_updates. There are three reasons:
  * The SQL of the state leaves out what the stream does not contain, for example TRUNCATEs or
    primary-key updates. The first TRUNCATE needs more SQL.
  * The changes of a table that is held from now on must not be visible for a moment.
  * merged_rows no longer has the rows of a table from now on (get_unmerged_condition).

  The new SQL returns the same rows for what was published before. The models recreate the views in
  their own form right afterwards. A table whose hold ends is held until then. What an older version
  of this package has published may lack a column of events. The views then stay until the models
  recreate them.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    table_holds (relation): the model table_holds.
#}
{% macro refresh_public_views(batch_stats, table_holds) %}
    {%- set published_facts = kafka_cdc.get_stream_facts(batch_stats, is_published=true) -%}
    {%- set facts = kafka_cdc.get_stream_facts(batch_stats) -%}
    {%- set published_names = published_facts.items() | selectattr(1) | map('first') | list -%}
    {#- Masks are applied when events are read, and change no view. -#}
    {%- set known_names = published_names + ['masks'] -%}
    {%- set new_names = facts.items() | selectattr(1) | map('first') | reject('in', known_names) | list -%}

    {%- set published_holds = kafka_cdc.get_holds(table_holds, is_published=true) -%}
    {%- set holds = kafka_cdc.get_holds_until_release(table_holds) -%}

    {%- set relations = {
        'events': kafka_cdc.get_model_relation('events'),
        'batch_stats': batch_stats,
        'merged_rows': kafka_cdc.get_model_relation('merged_rows'),
    } -%}
    {%- set current_rows = kafka_cdc.get_model_relation('current_rows') -%}
    {%- set unmerged_condition = kafka_cdc.get_unmerged_condition() -%}
    {%- set is_newly_unmerged = unmerged_condition and current_rows is not none and kafka_cdc.has_view(current_rows)
        and unmerged_condition not in kafka_cdc.get_view_statement(current_rows) -%}

    {%- if new_names or holds != published_holds or is_newly_unmerged -%}
        {%- set published_stats = kafka_cdc.published_relation(batch_stats) -%}
        {%- set published_events = kafka_cdc.published_relation(relations.events) -%}
        {%- set queries = {
            'changelog': kafka_cdc.select_published_changes(relations.events, holds),
            'current_rows': kafka_cdc.select_published_rows(relations, facts, holds),
            'row_history': kafka_cdc.select_row_versions(published_events, published_stats, facts, holds),
            'split_updates': kafka_cdc.select_split_updates(published_events, published_stats, facts, holds),
        } -%}
        {%- for name, query in queries.items() -%}
            {%- set view = kafka_cdc.get_model_relation(name) -%}
            {#- Before the first publication there is no view, and no version to read. -#}
            {%- if view is not none and kafka_cdc.has_view(view) and kafka_cdc._has_all_columns(published_events) -%}
                {%- do kafka_cdc.replace_view(view, 'select *\nfrom (\n' ~ query ~ '\n) as refreshed') -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

{# Returns whether a version of events has every column of the event contract, a boolean. #}
{% macro _has_all_columns(events) %}
    {%- set existing = run_query('select * from ' ~ events ~ ' where false').column_names -%}
    {{ return(kafka_cdc.get_event_columns().keys() | reject('in', existing) | list | length == 0) }}
{% endmacro %}
