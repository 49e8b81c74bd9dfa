{#
  Prints a SELECT: the published events that can still affect a row, the query of effective_events.

  They are those in compacted_events, and all events of the landing batches that are not compacted
  yet.

  Arguments:
    events (relation): the model events.
    compacted_events (relation): the model compacted_events.
#}
{% macro select_effective_events(events, compacted_events) -%}
{%- set columns = kafka_cdc.get_event_columns().keys() | join(',\n    ') -%}
{%- set compacted = kafka_cdc.get_versioned_relation(compacted_events, is_published=true) -%}
{%- set coverage = kafka_cdc.get_compaction_coverage(events, compacted, is_published=true) -%}
select
    {{ columns }}
from {{ kafka_cdc.published_relation(events) }}
{%- if coverage.is_valid %}
where {{ kafka_cdc.in_batches_condition(coverage.pending_batches) }}
union all
select
    {{ columns }}
from {{ kafka_cdc.published_relation(compacted_events) }}
where event_kind <> 'merged'
{%- endif %}
{%- endmacro %}
