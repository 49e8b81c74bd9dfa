{#
  Replaces a view of this package outside of its model. The model then creates it again if its own SQL differs.

  Arguments:
    view (relation): the view. It must exist.
    sql (string): its new query.
#}
{% macro replace_view(view, sql) %}
    {%- do kafka_cdc.begin_change(view.identifier) -%}
    {%- do run_query(kafka_cdc.get_table_format_macro('replace_view')(view.incorporate(type='view'), sql)) -%}
    {%- do kafka_cdc.record_fingerprint(view.identifier, kafka_cdc.get_view_fingerprint(sql)) -%}
{% endmacro %}
