{#
  Prints a relation as analysts see it: what its tag `published` holds. The model changelog moves the tags of events,
  stream_profiles and base_events after the tests on them, so that all views change at once, and stay as they are where a test fails.
#}
{% macro published(relation) -%}
    {{ relation }} version as of 'published'
{%- endmacro %}
