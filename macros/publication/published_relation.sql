{#
  Prints a relation as analysts see it: what is published of it. The model changelog publishes events,
  event_batch_stats and compacted_events after the tests on them, so that all views change at once, and stay as they are where a test fails.
#}
{% macro published_relation(relation) -%}
    {{ kafka_cdc.get_table_format_macro('published_relation')(relation) }}
{%- endmacro %}
