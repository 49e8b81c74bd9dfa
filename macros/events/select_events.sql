{# Prints the SELECT of the event contract, cast and in order, from event_rows. #}
{% macro select_events() -%}
    {%- set control = [] -%}
    {%- for word, meaning in kafka_cdc.get_operations().items() if meaning[1] is none %}{% do control.append(word) %}{% endfor -%}
    {%- set names = "if(is_ddl or operation = 'truncate', " ~ kafka_cdc.ddl_names('ddl_statement', 'ddl_targets') ~ ', null)' -%}
    {%- set computed = {
        'event_kind': "case when reject is not null then 'rejected' when is_ddl then 'ddl' when operation in ('"
            ~ control | join("', '") ~ "') then operation else 'change' end",
        'operation': "if(reject is null and (is_ddl or operation not in ('" ~ control | join("', '") ~ "')), operation, null)",
        'key_columns': 'if(needs is not null, key_columns, null)',
        'row_key': "if(needs = 'after_row', after_key, before_key)",
        'previous_row_key': "if(operation = 'update' and before_key <> after_key, before_key, null)",
        'image': 'if(after_row is null, null, image)',
        'column_types': kafka_cdc.dedupe_map_keys('column_types'),
        'ddl_tables': kafka_cdc.ddl_tables(names, "coalesce(nullif(" ~ kafka_cdc.ddl_operation('ddl_statement') ~ ", ''), operation)", 'ddl_statement'),
        'reject_code': 'reject.code',
        'reject_detail': 'reject.detail',
    } -%}
    {%- if kafka_cdc.has_table_setting('on_tombstone', ['delete']) -%}
        {%- do computed.update({'row_key': 'coalesce(' ~ computed.row_key ~ ', ' ~ kafka_cdc.json_key('tombstone_key', 'array_sort(map_keys(tombstone_key))') ~ ')'}) -%}
    {%- endif -%}
    {%- for row in ['before_row', 'after_row', 'column_types'] -%}
        {%- do computed.update({row: 'if(not coalesce(arrays_overlap(map_keys(' ~ row ~ '), hidden_columns), false), ' ~ computed.get(row, row) ~ ', map_filter(' ~ computed.get(row, row)
            ~ ', (name, text) -> not array_contains(hidden_columns, name)))'}) -%}
    {%- endfor -%}
select
    {%- for name, type in kafka_cdc.get_event_columns().items() %}
    cast({{ computed.get(name, name) | indent(4) }} as {{ type }}) as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
from event_rows
{%- endmacro %}
