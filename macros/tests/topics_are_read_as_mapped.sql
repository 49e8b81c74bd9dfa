{#
  Warns of topics with events that the current setting `topics` would not produce.

  The finding contains the command that reads the topic again.

  Arguments:
    model (relation): the model outdated_topic_mappings.
#}
{% test topics_are_read_as_mapped(model) %}
{{ config(severity='warn') }}
select concat(
    'topic ', kafka_topic, ': ', messages, ' messages were read as ', coalesce(source_format, 'no format'),
    ' of source ', coalesce(source_name, 'none'), ', but topics now sets format ', coalesce(mapped_format, 'auto'),
    ' and source ', coalesce(mapped_source, 'none'),
    '. To read the topic again: dbt build --vars \'{replay: ["', kafka_topic, '"]}\''
) as finding
from {{ model }}
{% endtest %}
