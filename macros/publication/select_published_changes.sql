{#
  Prints a SELECT: the rows of changelog, which are all published changes.

  Arguments:
    events (relation): the model events.
    holds (list[dict[string, any]]): the held tables, from get_holds. Their withheld changes are left
      out.
#}
{% macro select_published_changes(events, holds) -%}
{%- set others = ['event_kind', 'ddl_text', 'reject_code', 'reject_detail', 'snapshot_mark'] -%}
select
    {{ kafka_cdc.get_event_columns() | reject('in', others) | join(',\n    ') }}
from {{ kafka_cdc.published_relation(events) }}
{%- if holds %}
where
    event_kind = 'change'
    and not {{ kafka_cdc.withheld_condition(holds) | indent(4) }}
{%- else %}
where event_kind = 'change'
{%- endif %}
{%- endmacro %}
