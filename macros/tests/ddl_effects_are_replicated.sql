{#
  Warns of source tables with statements that may have changed rows without saying so, and after which no snapshot of the table came.
  model: unreplicated_ddl_effects.
#}
{% test ddl_effects_are_replicated(model) %}
{{ config(severity='warn') }}
select concat(
    'table ', coalesce(nullif({{ kafka_cdc.table_path() }}, ''), '(not named)'), ' of source ', source_name, ': ', count(*),
    ' statements may have changed rows that the stream does not say, the last at ', coalesce(cast(max(happened_at) as string), 'an unknown time'), ', which ',
    array_join(max_by(effects, struct(happened_at, kafka_offset)), ' and '), ': ', coalesce(left(max_by(ddl_text, struct(happened_at, kafka_offset)), 200), '(no text)'),
    '; only a new snapshot of the table repairs them'
) as finding
from {{ model }}
where not has_snapshot_since
group by {{ kafka_cdc.get_table_columns() | join(', ') }}
{% endtest %}
