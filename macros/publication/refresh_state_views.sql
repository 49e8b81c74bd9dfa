{#
  Makes the views current_rows and row_history anew where the profiles now hold what no run before has met (the first TRUNCATE, the first
  key that moves …): before they are published, so that no reader sees new events through SQL that does not know of them. The wider SQL says
  the same of what was published. Their models make the views as they belong, right after it.
  profiles: the relation of event_batch_stats.
#}
{% macro refresh_state_views(profiles) %}
    {%- set known, facts = kafka_cdc.get_stream_facts(profiles, is_published=true), kafka_cdc.get_stream_facts(profiles) -%}
    {%- if facts.items() | selectattr(1) | map('first') | reject('in', known.items() | selectattr(1) | map('first')) | list -%}
        {%- set views = {
            'current_rows': kafka_cdc.select_current_rows(kafka_cdc._relation_of('effective_events'), kafka_cdc.published_relation(profiles), facts),
            'row_history': kafka_cdc.select_row_versions(kafka_cdc.published_relation(kafka_cdc._relation_of('events')), kafka_cdc.published_relation(profiles), facts),
        } -%}
        {%- for name, sql in views.items() -%}
            {%- set view = kafka_cdc._relation_of(name) -%}
            {%- if view is not none and kafka_cdc.has_view(view) -%}
                {%- do run_query(kafka_cdc.get_table_format_macro('replace_view')(view, 'select *\nfrom (\n' ~ sql ~ '\n) as widened')) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

{# Returns the relation of a model of this project, by its name: what ref() returns where it would make a circle; none of a disabled model. #}
{% macro _relation_of(name) %}
    {%- set node = graph.nodes.get('model.kafka_cdc.' ~ name) -%}
    {{ return(api.Relation.create(schema=node.schema, identifier=node.alias) if node else none) }}
{% endmacro %}
