{#
  Returns the holds of the latest and of the published version of table_holds.

  A table whose hold ends in this run is held until the public views no longer withhold its events.
  A merge leaves the table out so long, because the views still need its published events.

  Arguments:
    table_holds (relation): the model table_holds.

  Returns: a list of mappings (list[dict[string, any]]), see get_holds. A table is in it twice if
    its two holds differ.
#}
{% macro get_holds_until_release(table_holds) %}
    {%- set published = kafka_cdc.get_holds(table_holds, is_published=true) -%}
    {{ return(published + kafka_cdc.get_holds(table_holds) | reject('in', published) | list) }}
{% endmacro %}
