{#
  Prints a SELECT: a finding for each source table with a change whose before image is not the row before it.

  Such a break proves that something was lost or damaged before the messages came to Kafka. The
  cause is a proposal. Other kinds of breaks are only in the model, and a snapshot of the table that
  lands later ends the warning.

  Arguments:
    broken_chains (relation): the model broken_chains.
#}
{% macro select_chain_alarms(broken_chains) -%}
select concat(
    'table ', {{ kafka_cdc.table_path() }}, ' of source ', source_name, ': the before images of ', sum(changes),
    ' changes are not the rows before them (columns ',
    array_join(array_sort(array_distinct(flatten(collect_list(different_columns)))), ', '),
    '), first at topic ', min(first_change).kafka_topic, ', partition ', min(first_change).kafka_partition,
    ', offset ', min(first_change).kafka_offset, '. Proposed cause: ',
    array_join(array_sort(collect_set(proposed_cause)), ', '),
    '. Take a new snapshot of the table to correct it, and see broken_chains for examples'
) as finding
from {{ broken_chains }}
where is_alarm and not is_resolved
group by {{ kafka_cdc.get_table_columns() | join(', ') }}
{%- endmacro %}
