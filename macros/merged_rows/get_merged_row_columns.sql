{#
  Returns the columns of merged_rows, in their order.

  The first ones are those of current_rows. The others are what a later merge needs:
    operation ... source_database_type
                   of the last change, also if a reset removed the row
    last_change    sort key of the last change, and whether it is a delete
    last_whole     the last whole image or delete. Its row_image is null if row_values is the same
    later_images   the partial images after it, in order
    types_key      sort key of the change that contained column_types
    merged_version fingerprint, see get_merge_coverage and get_reset_tables

  Rows of the table by row_kind:
    live, deleted  one per row key
    batch          one per merged landing batch, with its fingerprint
    reset          one per source table that something emptied, with a fingerprint of its resets
    left_out       one per source table that was held during the merge

  Returns: a dictionary, column to SQL type.
#}
{% macro get_merged_row_columns() %}
    {%- set sort_key = 'sort_key: struct<sequence_generation: int, sequence: array<bigint>, is_after: boolean, '
        ~ 'topic_incarnation: int, kafka_offset: bigint, row_index: int, kafka_topic: string, kafka_partition: int>' -%}
    {%- set types = dict(kafka_cdc.get_event_columns(), sequence_generation='int') -%}
    {%- set columns = {'row_kind': 'string'} -%}
    {%- for name in kafka_cdc.get_table_columns() + ['row_key'] -%}
        {%- do columns.update({name: 'string'}) -%}
    {%- endfor -%}
    {%- do columns.update({
        'row_values': 'map<string, string>',
        'column_types': 'map<string, string>',
        'last_operation': 'string',
    }) -%}
    {%- set public_details = kafka_cdc.get_change_detail_columns(is_public=true) -%}
    {%- for name in public_details -%}
        {%- do columns.update({name: types[name]}) -%}
    {%- endfor -%}
    {%- do columns.update({'incomplete_columns': 'array<string>'}) -%}
    {%- for name in kafka_cdc.get_change_detail_columns() if name not in public_details -%}
        {%- do columns.update({name: types[name]}) -%}
    {%- endfor -%}
    {%- do columns.update({
        'last_change': 'struct<' ~ sort_key ~ ', is_delete: boolean>',
        'last_whole': 'struct<' ~ sort_key
            ~ ', is_delete: boolean, image: string, happened_at: timestamp, row_image: map<string, string>>',
        'later_images': 'array<struct<' ~ sort_key
            ~ ', row_image: map<string, string>, removed_columns: array<string>, paths: ' ~ types.paths ~ '>>',
        'types_key': sort_key | replace('sort_key: ', ''),
        'merged_version': 'bigint',
    }) -%}
    {{ return(columns) }}
{% endmacro %}
