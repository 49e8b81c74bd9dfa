{#
  Recreates the views current_rows and row_history if the events now contain what no earlier run has met.

  The SQL of these views leaves out what the stream does not contain, for example TRUNCATEs or
  primary-key updates. The first TRUNCATE needs more SQL. This macro runs before publication, so
  that no reader sees new events through SQL that ignores them. The wider SQL returns the same rows
  for what was published before. The models recreate the views in their own form right afterwards.

  Arguments:
    stats (relation): the model event_batch_stats.
#}
{% macro refresh_state_views(stats) %}
    {%- set published_facts = kafka_cdc.get_stream_facts(stats, is_published=true) -%}
    {%- set facts = kafka_cdc.get_stream_facts(stats) -%}
    {%- set published_names = published_facts.items() | selectattr(1) | map('first') | list -%}
    {%- if facts.items() | selectattr(1) | map('first') | reject('in', published_names) | list -%}
        {%- set published_stats = kafka_cdc.published_relation(stats) -%}
        {%- set events = kafka_cdc.published_relation(kafka_cdc._get_model_relation('events')) -%}
        {%- set effective_events = kafka_cdc._get_model_relation('effective_events') -%}
        {%- set queries = {
            'current_rows': kafka_cdc.select_current_rows(effective_events, published_stats, facts),
            'row_history': kafka_cdc.select_row_versions(events, published_stats, facts),
        } -%}
        {%- for name, query in queries.items() -%}
            {%- set view = kafka_cdc._get_model_relation(name) -%}
            {%- if view is not none and kafka_cdc.has_view(view) -%}
                {%- set replace_view = kafka_cdc.get_table_format_macro('replace_view') -%}
                {%- do run_query(replace_view(view, 'select *\nfrom (\n' ~ query ~ '\n) as refreshed')) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

{# Returns the relation of a model of this package, none if it is disabled. ref() would make a cycle here. #}
{% macro _get_model_relation(name) %}
    {%- set node = graph.nodes.get('model.kafka_cdc.' ~ name) -%}
    {{ return(api.Relation.create(schema=node.schema, identifier=node.alias) if node else none) }}
{% endmacro %}
