{#
  Makes the views current_rows and row_history anew where the profiles now hold what no run before has met (the first TRUNCATE, the first
  key that moves …): before they are published, so that no reader sees new events through SQL that does not know of them. The wider SQL says
  the same of what was published. Their models make the views as they belong, right after it.
  profiles: the relation of stream_profiles.
#}
{% macro widen_views(profiles) %}
    {%- set known, facts = get_stream_facts(profiles, is_published=true), get_stream_facts(profiles) -%}
    {%- if facts.items() | selectattr(1) | map('first') | reject('in', known.items() | selectattr(1) | map('first')) | list -%}
        {%- set views = {
            'current_rows': fold_rows(_relation_of('state_events'), published(profiles), facts),
            'row_history': row_versions(published(_relation_of('events')), published(profiles), facts),
        } -%}
        {%- for name, sql in views.items() -%}
            {%- set view = _relation_of(name) -%}
            {%- if view is not none and is_view(view) -%}
                {%- do run_query(in_table_format('changed_view')(view, 'select *\nfrom (\n' ~ sql ~ '\n) as widened')) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

{# Returns the relation of a model of this project, by its name: what ref() returns where it would make a circle; none of a disabled model. #}
{% macro _relation_of(name) %}
    {%- set node = graph.nodes.get('model.kafka_cdc.' ~ name) -%}
    {{ return(api.Relation.create(schema=node.schema, identifier=node.alias) if node else none) }}
{% endmacro %}
