{#
  Prints the CTEs and the SELECT that turn what formats said of messages (the CTE `said`) into events: kinds, keys, rejects,
  one row for each row of a message. The same for every format.
#}
{% macro event_rows() -%}
{%- set words = {} -%}
{%- for word, meaning in get_operations().items() %}{% do words.setdefault(meaning[0] if meaning[0] in ['change', 'ddl'] else 'control', []).append(word) %}{% endfor -%}
-- What was said in the project's own words, with the keys that the settings give.
understood as (
    select
        * except (operation, rows, column_types, source_name, source_tenant, source_database, source_schema, source_table),
        coalesce(settings.source, source_name, source_format) as source_name,
        {%- for part in ['source_tenant', 'source_database', 'source_schema', 'source_table'] %}
        coalesce({{ part }}, '') as {{ part }},
        {%- endfor %}
        if(is_tombstone, 'tombstone', operation) as said_operation,
        {{ ddl_statement('ddl_text') | indent(8) }} as ddl_statement,
        {{ last_wins('column_types') | indent(8) }} as column_types,
        transform(
            rows,
            row -> struct({{ exact_row('row.before_row') | indent(12) }} as before_row, {{ exact_row('row.after_row') | indent(12) }} as after_row)
        ) as rows
    from said
),

keyed as (
    select
        * except (said_operation, key_columns),
        {{ ddl_operation('ddl_statement') | indent(8) }} as ddl_operation,
        said_operation in ('{{ words.ddl | join("', '") }}') and coalesce(ddl_operation, '') <> 'truncate' as is_ddl,
        case
            when not said_operation in ('{{ words.ddl | join("', '") }}') then said_operation
            when ddl_operation = 'truncate' then 'truncate'
            when said_operation = 'ddl' then coalesce(ddl_operation, 'other')
            else said_operation
        end as operation,
        array_sort(array_distinct(coalesce({{ table_setting('key') | indent(8) }}, if(size(key_columns) > 0, key_columns, null), settings.key)))
            as key_columns,
        said_operation in ('insert', 'update', 'snapshot') as needs_after,
        said_operation in ('delete', 'update_before') as needs_before
    from understood
),

-- A message is what it says, or rejected as a whole.
judged as (
    select
        *,
        case
            when is_tombstone then null
            when not is_valid_utf8(value) then {{ reject('invalid_utf8') }}
            when not coalesce(is_read, false) and not {{ is_json_object('value', 'seal') | indent(12) }} then {{ reject('invalid_json') }}
            when {{ has_lone_surrogate('value') | indent(12) }} then {{ reject('lone_surrogate') }}
            when source_format is null then {{ reject('unknown_format') }}
            when not is_read then {{ reject('unexpected_structure') }}
            when format_reject is not null then format_reject
            when operation is null then {{ reject('unknown_operation', "coalesce(operation_code, 'null')") }}
            when exists(source_sequence, part -> part is null) then {{ reject('invalid_sequence') }}
            when needs_after and (size(rows) = 0 or exists(rows, row -> coalesce(size(row.after_row), 0) < 1)) then {{ reject('missing_image') }}
            when needs_before and (size(rows) = 0 or exists(rows, row -> coalesce(size(row.before_row), 0) < 1)) then {{ reject('missing_image') }}
            when (needs_after or needs_before)
                and exists(rows, row -> exists(key_columns, name -> if(needs_after, row.after_row, row.before_row)[name] is null))
                then {{ reject('missing_key', "array_join(key_columns, ', ')") }}
        end as reject
    from keyed
),

event_rows as (
    select
        judged.* except (rows, key_columns),
        case
            when reject is not null then 'rejected'
            when is_ddl then 'ddl'
            when operation in ('{{ words.control | join("', '") }}') then operation
            else 'change'
        end as event_kind,
        if(needs_after or needs_before, key_columns, null) as key_columns,
        coalesce(position, 0) as row_index,
        row.before_row,
        row.after_row
    from judged
    lateral view outer posexplode(if(reject is null and (needs_after or needs_before), rows, null)) exploded as position, row
),

identified as (
    select
        *,
        {{ json_key('before_row', 'key_columns') | indent(8) }} as before_key,
        {{ json_key('after_row', 'key_columns') | indent(8) }} as after_key,
        if(event_kind = 'ddl' or operation = 'truncate', {{ ddl_names('ddl_statement', 'ddl_targets') | indent(8) }}, null) as ddl_names
    from event_rows
)

select
    {%- set computed = {
        'operation': "if(event_kind in ('change', 'ddl'), operation, null)",
        'row_key': 'if(needs_after, after_key, before_key)',
        'previous_row_key': "if(operation = 'update' and before_key <> after_key, before_key, null)",
        'image': 'if(after_row is null, null, image)',
        'ddl_tables': ddl_tables('ddl_names', 'coalesce(ddl_operation, operation)', 'ddl_statement') | indent(4),
        'reject_code': 'reject.code',
        'reject_detail': 'reject.detail',
    } -%}
    {%- for row in ['before_row', 'after_row', 'column_types'] %}
        {%- do computed.update({row: 'if(hidden_columns is null, ' ~ row ~ ', map_filter(' ~ row
            ~ ', (name, text) -> not array_contains(hidden_columns, name)))'}) -%}
    {%- endfor -%}
    {%- for name, type in get_event_columns().items() %}
    cast({{ computed.get(name, name) }} as {{ type }}) as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
from identified
{%- endmacro %}
