{#
  Prints the relation that analysts see of events: what the tag `published` holds. The model changelog moves the tag, after the
  tests on events and stream_profiles, so that all views over it change in one commit, and stay as they are where a test fails.
#}
{% macro published_events() -%}
    {{ ref('events') }} version as of 'published'
{%- endmacro %}
