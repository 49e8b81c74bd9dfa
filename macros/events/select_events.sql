{#
  Prints a SELECT: the event contract, with every column cast and in order.

  Requires: the CTE `event_rows` of select_flattened_messages.
#}
{% macro select_events() -%}
    {%- set control_kinds = [] -%}
    {%- for operation, meaning in kafka_cdc.get_operations().items() if meaning[1] is none -%}
        {%- do control_kinds.append(operation) -%}
    {%- endfor -%}
    {%- set control_kinds = "('" ~ control_kinds | join("', '") ~ "')" -%}

    {%- set event_kind -%}
    case
        when reject is not null then 'rejected'
        when is_ddl then 'ddl'
        when operation in {{ control_kinds }} then operation
        else 'change'
    end
    {%- endset -%}

    {%- set ddl_names -%}
    if(is_ddl or operation = 'truncate', {{ kafka_cdc.ddl_names('ddl_statement', 'ddl_targets') }}, null)
    {%- endset -%}
    {%- set ddl_operation -%}
    coalesce(nullif({{ kafka_cdc.ddl_operation('ddl_statement') }}, ''), operation)
    {%- endset -%}

    {%- set computed = {
        'event_kind': event_kind,
        'operation': 'if(reject is null and (is_ddl or operation not in ' ~ control_kinds ~ '), operation, null)',
        'key_columns': 'if(required_image is not null, key_columns, null)',
        'row_key': "if(required_image = 'after_row', after_key, before_key)",
        'previous_row_key': "if(operation = 'update' and before_key <> after_key, before_key, null)",
        'image': 'if(after_row is null, null, image)',
        'paths': 'if(after_row is null, null, paths)',
        'column_types': kafka_cdc.masked_column_types('column_types'),
        'ddl_tables': kafka_cdc.ddl_tables(ddl_names, ddl_operation, 'ddl_statement'),
        'reject_code': 'reject.code',
        'reject_detail': 'reject.detail',
    } -%}

    {#- A code that the format does not document may be any text of the payload. -#}
    {%- if kafka_cdc.has_masks() -%}
        {%- do computed.update({
            'operation_code': "if(reject.code = 'unknown_operation' and not (" ~ kafka_cdc.quotable_condition()
                ~ '), null, operation_code)',
        }) -%}
    {%- endif -%}

    {%- if kafka_cdc.has_table_setting('on_tombstone', ['delete']) -%}
        {%- set tombstone_row_key = kafka_cdc.json_key('tombstone_key', 'array_sort(map_keys(tombstone_key))') -%}
        {%- do computed.update({'row_key': 'coalesce(' ~ computed.row_key ~ ', ' ~ tombstone_row_key ~ ')'}) -%}
    {%- endif -%}

    {#- Columns that the format hides are left out of the maps. Most messages hide none, so maps stay untouched. -#}
    {%- for name in ['before_row', 'after_row', 'column_types'] -%}
        {%- set map = computed.get(name, name) -%}
        {%- set visible -%}
        if(
            not coalesce(arrays_overlap(map_keys({{ name }}), hidden_columns), false),
            {{ map }},
            map_filter({{ map }}, (name, text) -> not array_contains(hidden_columns, name))
        )
        {%- endset -%}
        {%- do computed.update({name: visible}) -%}
    {%- endfor -%}

select
    {%- for name, type in kafka_cdc.get_event_columns().items() %}
    cast({{ computed.get(name, name) | indent(4) }} as {{ type }}) as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
from event_rows
{%- endmacro %}
