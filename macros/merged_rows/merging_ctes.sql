{#
  Prints the CTEs `untouched_rows` and `finished_rows`: merged rows, and changes merged into them.

  Together they have the row of every key. Their columns are those of get_merged_row_columns. A row
  without a waiting change is read as it is. The others are computed from their elements. An element
  is what a row keeps of its changes: the last change, the last whole image, the partial images after
  it and the last column types, each with its sort key. A single change has an element, too. Elements
  merge by maxima and lists, so that neither order nor repetition matters (select_current_rows).

  Elements do not contain resets. The row is finished with the resets that are known now: what
  precedes one does not count. So a late TRUNCATE or another setting needs no event again.

  Example, one row:
    merged: whole image at [10], partial image {a:y} at [20]
    waiting: partial image {b:q} at [15], TRUNCATE at [12]
    element: whole image at [10], partial images at [15] and [20]
    finished: {a:y, b:q}, incomplete, because the whole image precedes the TRUNCATE

  Arguments:
    changes (string): SQL of a relation with the waiting changes of tables that are merged.
    merged (optional[string]): SQL of a relation with the merged rows; none if there is none.
    facts (dict[string, integer]): what the stream contains, from get_stream_facts.
    table_resets (optional[string]): the CTEs up to `table_resets`, from merged_resets_ctes; none if
      nothing emptied a table.
    reset_tables (list[dict[string, string]]): tables whose merged rows must be finished again.
    has_few_keys (boolean): whether the keys of the waiting changes fit into each task's memory. The
      keys of reset_tables may be very many.

  Prints: also the CTEs that these require.
#}
{% macro merging_ctes(changes, merged, facts, table_resets, reset_tables, has_few_keys) -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set columns = kafka_cdc.get_merged_row_columns() -%}
{%- set details = kafka_cdc.get_change_detail_columns() -%}
{%- set row_values = kafka_cdc.apply_partial_rows(
    'base_image.row_image',
    'effective_images',
    has_paths=facts.path_updates,
    is_complete="base_image.image <=> 'full'"
) -%}
{%- set incomplete_columns = kafka_cdc.incomplete_columns('base_image.image', 'column_types', 'row_values') -%}
{%- set broadcast = '/*+ broadcast(waiting_keys) */ ' if has_few_keys and not reset_tables -%}
{%- set is_before_reset = 'coalesce(%s < last_reset, false)' -%}
{%- if merged -%}
waiting_keys as (
    select distinct
        {{ table }},
        changed_key as row_key
    from {{ changes }}
    lateral view explode(array_compact(array(row_key, previous_row_key))) keys as changed_key
    where {{ kafka_cdc.row_change_condition() }}
    {%- if reset_tables %}
    union
    select
        {{ table }},
        row_key
    from {{ merged }}
    where {{ kafka_cdc.tables_condition(reset_tables) | indent(8) }}
    {%- endif %}
),

untouched_rows as (
    select {{ broadcast }}{{ columns.keys() | join(', ') }}
    from {{ merged }} as merged
    left anti join waiting_keys using ({{ table }}, row_key)
),

{% endif -%}
{%- if table_resets -%}
{{ table_resets }},

{% endif -%}
changes as (
    {{ kafka_cdc.select_ordered_events(changes, kafka_cdc.row_change_condition()) | indent(4) }}
),

{{ kafka_cdc.row_effects_cte('changes', {'path_updates': facts.path_updates}) }},

elements as (
    select
        {{ table }},
        row_key,
        struct(sort_key, is_delete) as last_change,
        struct({{ details | join(', ') }}) as details,
        if(is_whole, struct(sort_key, is_delete, image, happened_at, row_image), null) as last_whole,
        if(is_whole, array(), array(struct(sort_key, row_image, removed_columns, paths))) as later_images,
        if(column_types is null, null, sort_key) as types_key,
        column_types
    from row_effects
    {%- if merged %}
    union all
    select {{ broadcast }}
        {{ table }},
        row_key,
        last_change,
        struct({{ details | join(', ') }}) as details,
        {{ kafka_cdc._whole_image('coalesce(last_whole.row_image, row_values)') | indent(8) }} as last_whole,
        later_images,
        types_key,
        column_types
    from {{ merged }} as merged
    left semi join waiting_keys using ({{ table }}, row_key)
    {%- endif %}
),

merged_elements as (
    select
        * except (all_images),
        array_sort(
            filter(all_images, image -> coalesce(image.sort_key > last_whole.sort_key, true)),
            (one, other) -> case
                when one.sort_key < other.sort_key then -1
                when one.sort_key > other.sort_key then 1
                else 0
            end
        ) as later_images
    from (
        select
            {{ table }},
            row_key,
            max(last_change) as last_change,
            max_by(details, last_change) as details,
            max_by(last_whole, last_whole.sort_key) as last_whole,
            flatten(collect_list(later_images)) as all_images,
            max(types_key) as types_key,
            max_by(column_types, types_key) as column_types
        from elements
        group by {{ table }}, row_key
    ) as grouped_elements
),

effective_elements as (
    select
        *,
        {%- if table_resets %}
        if({{ is_before_reset % 'last_whole.sort_key' }} or last_whole.is_delete, null, last_whole) as base_image,
        filter(later_images, image -> not {{ is_before_reset % 'image.sort_key' }}) as effective_images,
        {%- else %}
        if(last_whole.is_delete, null, last_whole) as base_image,
        later_images as effective_images,
        {%- endif %}
        last_change.is_delete or reset_by is not null as is_deleted
    from (
        select
            merged_elements.*,
            {%- if table_resets %}
            element_at(resets, -1).row_order as last_reset,
            get(filter(resets, reset -> last_change.sort_key < reset.row_order), 0).operation as reset_by
        from merged_elements
        left join table_resets using ({{ table }})
            {%- else %}
            cast(null as string) as reset_by
        from merged_elements
            {%- endif %}
    ) as elements_and_resets
),

finished_rows as (
    select
        {#- The content is not stored twice: row_values may be the same. -#}
        {%- set stored_content = 'if(is_deleted or size(later_images) > 0, last_whole.row_image, null)' -%}
        {%- set values = {
            'row_kind': "if(is_deleted, 'deleted', 'live')",
            'row_values': 'if(is_deleted, null, row_values)',
            'last_operation': 'coalesce(reset_by, details.operation)',
            'incomplete_columns': 'if(is_deleted, null, ' ~ incomplete_columns ~ ')',
            'last_whole': kafka_cdc._whole_image(stored_content),
            'merged_version': 'cast(null as bigint)',
        } -%}
        {%- for column in columns %}
        {{ values.get(column, ('details.' if column in details else '') ~ column) | indent(8) }} as {{ column -}}
        {{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select
            *,
            {{ row_values | indent(12) }} as row_values
        from effective_elements
    ) as rows
)
{%- endmacro %}

{# Prints an expression: the last whole image with another content. #}
{% macro _whole_image(row_image) -%}
if(
    last_whole is null,
    null,
    struct(
        last_whole.sort_key,
        last_whole.is_delete,
        last_whole.image,
        last_whole.happened_at,
        {{ row_image }} as row_image
    )
)
{%- endmacro %}
