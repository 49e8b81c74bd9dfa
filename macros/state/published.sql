{#
  Prints a relation as analysts see it: what is published of it. The model changelog publishes events,
  stream_profiles and base_events after the tests on them, so that all views change at once, and stay as they are where a test fails.
#}
{% macro published(relation) -%}
    {{ in_table_format('published')(relation) }}
{%- endmacro %}
