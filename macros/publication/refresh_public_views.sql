{#
  Replaces the views of rows before a publication that they do not fit yet.

  These are changelog, current_rows, row_history and split_updates. There are two reasons:
  * The SQL of the state leaves out what the stream does not contain, for example TRUNCATEs or
    primary-key updates. The first TRUNCATE needs more SQL.
  * The changes of a table that is held from now on must not be visible for a moment.

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
    {%- set new_names = facts.items() | selectattr(1) | map('first') | reject('in', published_names) | list -%}

    {%- set published_holds = kafka_cdc.get_holds(table_holds, is_published=true) -%}
    {%- set holds = kafka_cdc.get_holds_until_release(table_holds) -%}

    {%- if new_names or holds != published_holds -%}
        {%- set published_stats = kafka_cdc.published_relation(batch_stats) -%}
        {%- set events = kafka_cdc.get_model_relation('events') -%}
        {%- set published_events = kafka_cdc.published_relation(events) -%}
        {%- set effective_events = kafka_cdc.get_model_relation('effective_events') -%}
        {%- set queries = {
            'changelog': kafka_cdc.select_published_changes(events, holds),
            'current_rows': kafka_cdc.select_current_rows(effective_events, published_stats, facts, holds),
            'row_history': kafka_cdc.select_row_versions(published_events, published_stats, facts, holds),
            'split_updates': kafka_cdc.select_split_updates(published_events, published_stats, facts, holds),
        } -%}
        {%- for name, query in queries.items() -%}
            {%- set view = kafka_cdc.get_model_relation(name) -%}
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
