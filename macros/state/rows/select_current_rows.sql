{#
  Prints the SELECT that folds changes into rows: one row per source table and row_key, what it holds after the last of its
  changes in the order of row_order. A fold by maxima, so that the order of arrival, duplicates and batching cannot matter:
  * the last change decides whether the row is there; deleted rows stay, so that late events do not bring them back;
  * the last whole image is the row, and every later partial image lies over it, column by column, in order;
  * a change that moves a row deletes the old key, and what it does not say comes from there; the before half of a split update does
    so only with its other half;
  * of what comes before a boundary (TRUNCATE, DROP, a snapshot that replaces) nothing is left.
  events: a relation with the columns of events. profiles: the relation of event_batch_stats. facts: of get_stream_facts.
#}
{% macro select_current_rows(events, profiles, facts) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
with {{ kafka_cdc.ordered_changes_ctes(events, profiles, facts) }},

{{ kafka_cdc.latest_rows_cte() }},

rows as (
    select
        *,
        {{ kafka_cdc.apply_partial_rows('base.said_row', 'later_parts') | indent(8) }} as row_values,
        last_change.is_gone or not last_change.stands as is_deleted
    from standing
)

select
    {{ table }},
    row_key,
    if(is_deleted, cast(null as map<string, string>), row_values) as row_values,
    column_types,
    if(last_change.stands, last_change.operation, last_boundary) as last_operation,
    last_change.occurred_at,
    last_change.sequence_generation,
    last_change.source_sequence,
    {%- for coordinate in kafka_cdc.get_coordinates() %}
    last_change.{{ coordinate }},
    {%- endfor %}
    is_deleted,
    if(is_deleted, null, {{ kafka_cdc.incomplete_columns('base.image', 'column_types', 'row_values') }}) as incomplete_columns
from rows
{%- endmacro %}
