{#
  Prints a SELECT: a finding for each topic with events that the current setting `topics` would not produce.

  The finding contains the command that reads the topic again. If such a topic has changes, its
  tables are held (held_tables), and this check leaves it out.

  Arguments:
    outdated_topic_mappings (relation): the model of that name.
#}
{% macro select_remapped_topics(outdated_topic_mappings) -%}
select concat(finding, '. ', remedy) as finding
from {{ outdated_topic_mappings }}
where topic_changes = 0
{%- endmacro %}
