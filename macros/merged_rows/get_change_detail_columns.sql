{#
  Returns the columns of merged_rows that describe the last change of a row, in their order.

  The check of chains needs more of them than readers of current_rows.

  Arguments:
    is_public (boolean): whether to return those of current_rows only.

  Returns: a list of column names (list[string]).
#}
{% macro get_change_detail_columns(is_public=false) %}
    {%- set columns = ['occurred_at', 'sequence_generation', 'source_sequence'] + kafka_cdc.get_coordinates() -%}
    {{ return(columns if is_public else columns + [
        'operation',
        'emitted_at',
        'kafka_timestamp',
        'landed_at',
        'landing_batch',
        'source_format',
        'source_database_type',
    ]) }}
{% endmacro %}
