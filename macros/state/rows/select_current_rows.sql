{#
  Prints a SELECT: the current content of every row, one row per source table and row_key.

  The result depends on the set of changes alone. It does not depend on their order of arrival, on
  redeliveries, or on how runs divided them. Three properties ensure this:
  1. Each change has a sort key in the total order of its table (macro row_order). The key is
     computed from the message alone. It is the same whenever the change arrives.
  2. A row is computed from its changes by maxima and sorted lists over this key (_latest_rows_cte).
     These are commutative and associative: the order of their input does not matter.
  3. Nothing that still matters is discarded. A deleted row stays as a row with is_deleted, so that
     a late update does not bring it back. Table resets are kept and compared with each change.

  A redelivered change has the content of the original and directly follows it in the vendor's
  order, so that applying it twice changes nothing. Without a vendor's sequence the Kafka offset
  decides.

  What decides the content of a row:
  * The last change decides whether the row exists.
  * The last whole image since the last table reset is the row. Each later partial image overrides
    its columns, in order.
  * A primary-key update deletes the row under the old key. Columns missing from the update are
    taken from its before image. If that lacks them too, they are taken from the old row as of that
    position.
  * A before event whose after event never arrives deletes nothing.
  * Nothing remains of what precedes a table reset: a TRUNCATE, a DROP, or a snapshot that replaces
    the table.

  Example: five changes of row 1. They may arrive in any order, in one run or in five.
    source_sequence  change                                     arrived
    [10]             insert, full image {id:1, a:x, b:p}        2nd
    [20]             update, partial image {id:1, a:y}          5th
    [30]             update, partial image {id:1, b:q}          1st
    [30]             the same message, redelivered              3rd
    [25]             update, partial image {id:1, a:z}          4th
  Whole image: [10]. Partial images sorted by their keys: [20], [25], [30], [30].
  Result: {id:1, a:z, b:q}. Of column a the value from [25] counts, because [25] > [20].

  Arguments:
    events (relation): a relation with the columns of the model events.
    batch_stats (relation): the model event_batch_stats.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts. SQL that the
      stream does not need is left out.
    holds (list[dict[string, any]]): the held tables, from get_holds.
#}
{% macro select_current_rows(events, batch_stats, facts, holds) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set row_values = kafka_cdc.apply_partial_rows(
    'base_image.row_image',
    'later_images',
    has_paths=facts.path_updates,
    is_complete="base_image.image <=> 'full'"
) -%}
{%- set incomplete_columns = kafka_cdc.incomplete_columns('base_image.image', 'column_types', 'row_values') -%}
with {{ kafka_cdc.ordered_changes_ctes(events, batch_stats, facts, holds) }},

{{ kafka_cdc._latest_rows_cte(facts) }},

rows as (
    select
        *,
        {{ row_values | indent(8) }} as row_values,
        last_change.is_delete or not last_change.is_effective as is_deleted
    from latest_rows
)

select
    {{ table }},
    row_key,
    if(is_deleted, cast(null as map<string, string>), row_values) as row_values,
    column_types,
    if(last_change.is_effective, change_details.operation, last_reset) as last_operation,
    change_details.occurred_at,
    change_details.sequence_generation,
    change_details.source_sequence,
    {%- for coordinate in kafka_cdc.get_coordinates() %}
    change_details.{{ coordinate }},
    {%- endfor %}
    is_deleted,
    if(
        is_deleted,
        null,
        {{ incomplete_columns | indent(8) }}
    ) as incomplete_columns
from rows
{%- endmacro %}

{#
  Prints the CTE `latest_rows`: one row per source table and row_key, from its effects.

  Every column is a maximum, or a list that is sorted afterwards. Both give the same result for
  every order of their input, which is why the order of arrival cannot matter.

  Columns in addition to the table and row_key:
    last_change     the last effect that counts, else the last of those that a reset removed:
                    is_effective, sort_key, is_delete
    change_details  what else is known of it: operation, coordinates ... It is apart from
                    last_change, so that a count of rows does not read it.
    column_types    the last column types that any message contained
    last_reset      the last reset that removed an effect: truncate, drop or snapshot
    base_image      the last whole image since the resets; null if it is a delete or there is none
    later_images    the partial images after the last whole image, in order

  Arguments:
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.

  Prints: also the CTE that it requires, `last_effects`.

  Requires: the CTE `effective_row_effects`.
#}
{% macro _latest_rows_cte(facts) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
last_effects as (
    select
        {{ table }},
        row_key,

        max(struct(reset_by is null as is_effective, sort_key, is_delete)) as last_change,

        max_by(
            struct(
                operation,
                occurred_at,
                sequence_generation,
                source_sequence,
                {{ kafka_cdc.get_coordinates() | join(',\n                ') }}
            ),
            struct(reset_by is null, sort_key)
        ) as change_details,

        max_by(struct(sort_key, is_delete, row_image, image), sort_key) filter (
            where is_whole and reset_by is null
        ) as last_whole,

        array_sort(
            collect_list(struct(sort_key, row_image, removed_columns{{ ', paths' if facts.path_updates }})) filter (
                where not is_whole and reset_by is null
            ),
            (one, other) -> case
                when one.sort_key < other.sort_key then -1
                when one.sort_key > other.sort_key then 1
                else 0
            end
        ) as partial_images,

        max_by(column_types, sort_key) filter (where column_types is not null) as column_types,
        max_by(reset_by.operation, sort_key) as last_reset
    from effective_row_effects
    group by {{ table }}, row_key
),

latest_rows as (
    select
        last_effects.* except (last_whole),
        if(last_whole.is_delete, null, last_whole) as base_image,
        filter(partial_images, change -> coalesce(change.sort_key > last_whole.sort_key, true)) as later_images
    from last_effects
)
{%- endmacro %}
