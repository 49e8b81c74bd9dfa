{#
  Warns of topics with events that the current setting `topics` would not produce.

  The finding contains the command that reads the topic again. If such a topic has changes, its
  tables are held (held_tables), and this test leaves it out.

  Arguments:
    model (relation): the model outdated_topic_mappings.
#}
{% test topics_are_read_as_mapped(model) %}
{{ config(severity='warn') }}
select concat(finding, '. ', remedy) as finding
from {{ model }}
where topic_changes = 0
{% endtest %}
