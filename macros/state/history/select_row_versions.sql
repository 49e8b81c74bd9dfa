{#
  Prints a SELECT: the rows of row_history, one per version of a row (SCD type 2).

  A change starts a new version if it leaves other content, or the same content at another position
  or time. A version ends with the row's next change, its deletion, or a reset of its table. Like
  select_current_rows, it depends on the set of changes alone and not on their order of arrival.

  Example, one row:
    source_sequence  happened_at  change           version
    [10]             08:00        insert {a:x}     valid from 08:00 to 09:00
    [20]             09:00        update {a:y}     valid from 09:00 to 11:00
    [20]             09:00        the same change  none: a redelivery
    [30]             11:00        delete           none: no version while the row does not exist
    [40]             12:00        insert {a:z}     valid from 12:00, current

  Arguments:
    events (relation): a relation with the columns of the model events.
    batch_stats (relation): the model event_batch_stats.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
    holds (list[dict[string, any]]): the held tables, from get_holds.
#}
{% macro select_row_versions(events, batch_stats, facts, holds) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set row = table ~ ', row_key, reset_by' -%}
{%- set version_fields -%}
struct(is_delete, sequence_generation, source_sequence, happened_at, array_sort(map_entries(row_values)))
{%- endset -%}
{%- set incomplete_columns = kafka_cdc.incomplete_columns('base_image.image', 'column_types', 'row_values') -%}
with {{ kafka_cdc.ordered_changes_ctes(events, batch_stats, facts, holds) }},

{{ kafka_cdc.row_images_cte(facts) }},

-- Redeliveries are one version: the same change at the same position of the vendor's sequence.
-- Without a sequence it is the same change directly after itself.
versions as (
    select
        *,
        lead(struct(happened_at)) over (partition by {{ row }} order by sort_key) as next_version
    from (
        select
            *,
            lag({{ version_fields }}) over (
                partition by {{ row }} order by sort_key
            ) as previous_version_fields
        from (
            select
                *,
                row_number() over (
                    partition by
                        {{ row }},
                        {{ version_fields }},
                        operation,
                        is_old_key,
                        row_index,
                        if(source_sequence is null, sort_key, null)
                    order by sort_key desc
                ) as delivery
            from row_images
            where not is_inherited
        ) as deliveries
        where delivery = 1
    ) as distinct_changes
    where not {{ version_fields }} <=> previous_version_fields
)

select
    {{ table }},
    row_key,
    row_values,
    column_types,
    happened_at as valid_from,
    coalesce(next_version.happened_at, reset_by.happened_at) as valid_to,
    next_version is null and reset_by is null as is_current,
    operation,
    occurred_at,
    sequence_generation,
    source_sequence,
    {{ kafka_cdc.get_coordinates() | join(',\n    ') }},
    {{ incomplete_columns | indent(4) }} as incomplete_columns
from versions
where not is_delete
{%- endmacro %}
