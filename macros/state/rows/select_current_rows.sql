{#
  Prints a SELECT: the current content of every row, one row per source table and row_key.

  The result depends on the set of changes alone. It does not depend on their order of arrival, on
  redeliveries, or on how runs divided them. Three properties ensure this:
  1. Each change has a sort key in the total order of its table (macro row_order). The key is
     computed from the message alone. It is the same whenever the change arrives.
  2. A row is computed from its changes by maxima and sorted lists over this key (latest_rows_cte).
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

{{ kafka_cdc.latest_rows_cte(facts) }},

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
