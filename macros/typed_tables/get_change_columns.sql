{#
  Returns the columns of a typed table that name the shard, or describe the last change or the
  version, list[string].

  Arguments:
    request (dict[string, any]): see typed_table_query.
#}
{% macro get_change_columns(request) %}
    {%- set change = ['occurred_at', 'source_sequence'] + kafka_cdc.get_coordinates() -%}
    {%- set operation = ['last_operation'] if request.rows == 'hard' else ['operation'] -%}
    {%- set state = {
        'hard': [],
        'soft': ['is_deleted', 'deleted_at'],
        'versions': ['valid_from', 'valid_to', 'is_current'],
    }[request.rows] -%}
    {{ return(kafka_cdc.get_shard_columns(request) + state + (operation + change if request.has_coordinates else [])) }}
{% endmacro %}
