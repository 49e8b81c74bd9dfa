{#
  Prints the CTE `earlier_events`: the changes of rows, so far as they decide the chains of pending batches.

  The changes of merged batches come from merged_rows, so that history is not read. A row is one or
  two changes there: its last whole image, and the last change with the row after it.

  Arguments:
    events (relation): the model events.
    merged (optional[string]): SQL of merged_rows at one of its versions; none if it has none.
    coverage (dict[string, any]): from get_merge_coverage.
#}
{% macro earlier_events_cte(events, merged, coverage) -%}
{%- set columns = kafka_cdc.get_event_columns() -%}
{%- set whole_image = 'coalesce(last_whole.row_image, row_values)' -%}
{%- set last_change = {
    'event_kind': "'change'",
    'operation': "if(last_change.is_delete, 'delete', operation)",
    'after_row': 'row_values',
    'image': "if(last_change.is_delete, null, if(size(later_images) > 0, 'partial', last_whole.image))",
    'removed_columns': 'array_except(map_keys(' ~ whole_image ~ '), map_keys(row_values))',
} -%}
{%- set whole_change = {
    'event_kind': "'change'",
    'operation': "if(last_whole.is_delete, 'delete', 'insert')",
    'occurred_at': 'last_whole.happened_at',
    'kafka_timestamp': 'timestamp_micros(get(last_whole.sort_key.sequence, 0))',
    'source_sequence': 'last_whole.sort_key.sequence',
    'after_row': 'if(last_whole.is_delete, null, ' ~ whole_image ~ ')',
    'image': 'last_whole.image',
} -%}
{%- for coordinate in kafka_cdc.get_coordinates() -%}
    {%- do whole_change.update({coordinate: 'last_whole.sort_key.' ~ coordinate}) -%}
{%- endfor -%}
earlier_events as (
    {%- for values, condition in [
        (last_change, 'true'),
        (whole_change, 'size(later_images) > 0 and last_whole is not null'),
    ] if coverage.is_valid %}
    select
        {%- for column, type in columns.items() %}
        {%- if column in values %}
        {{ values[column] | indent(8) }} as {{ column }}
        {%- elif column in kafka_cdc.get_merged_row_columns() %}
        {{ column }}
        {%- else %}
        cast(null as {{ type }}) as {{ column }}
        {%- endif -%}
        {{ ',' if not loop.last }}
        {%- endfor %}
    from {{ merged }}
    where row_kind in ('live', 'deleted') and {{ condition }}
    union all
    {%- endfor %}
    select {{ columns.keys() | join(', ') }}
    from {{ events }}
    where
        event_kind = 'change'
        and operation <> 'truncate'
        {%- if coverage.is_valid %}
        and (
            {{ kafka_cdc.in_batches_condition(coverage.pending_batches) }}
            {%- if coverage.released_tables %}
            or {{ kafka_cdc.tables_condition(coverage.released_tables) }}
            {%- endif %}
            {%- if coverage.unmerged_condition %}
            or {{ coverage.unmerged_condition }}
            {%- endif %}
        )
        {%- endif %}
)
{%- endmacro %}
