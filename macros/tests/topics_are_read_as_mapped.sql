{#
  Warns of topics that have events which the setting topics, as it is now, would not make. The finding is the command that reads them
  again. model: outdated_topic_mappings.
#}
{% test topics_are_read_as_mapped(model) %}
{{ config(severity='warn') }}
select concat(
    'topic ', kafka_topic, ': ', messages, ' messages were read as ', coalesce(source_format, 'no format'), ' of source ', coalesce(source_name, 'none'),
    ', now topics says format ', coalesce(mapped_format, 'auto'), ', source ', coalesce(mapped_source, 'none'),
    '; to read the topic again: dbt build --vars \'{replay: ["', kafka_topic, '"]}\''
) as finding
from {{ model }}
{% endtest %}
