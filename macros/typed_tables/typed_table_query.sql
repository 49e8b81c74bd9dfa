{#
  Prints the query of a typed table, and records for its materialization what is to be written.

  Arguments:
    request (dict[string, any]): the arguments of current_table or history_table. `rows` is hard,
      soft or versions.
#}
{% macro typed_table_query(request) -%}
    {{- config(
        materialized='typed_table',
        file_format=kafka_cdc.get_table_format(),
        meta={'source_table': request.table}
    ) -}}
    {%- if request.on_schema_change not in ['evolve', 'try_evolve', 'lenient', 'ignore', 'exception'] -%}
        {{ kafka_cdc.raise_error(
            'on_schema_change of ' ~ this ~ ' is ' ~ tojson(request.on_schema_change),
            'valid values are evolve, try_evolve, lenient, ignore and exception'
        ) }}
    {%- endif -%}

    {%- do request.update({'is_sharded': '*' in request.table or '?' in request.table}) -%}
    {%- set relations = {
        'current_state': ref('kafka_cdc', 'current_state'),
        'row_history': ref('kafka_cdc', 'row_history'),
        'events': ref('kafka_cdc', 'events'),
        'merged_rows': ref('kafka_cdc', 'merged_rows'),
        'batch_stats': ref('kafka_cdc', 'event_batch_stats'),
        'table_holds': ref('kafka_cdc', 'table_holds'),
        'source_types': ref('kafka_cdc', 'source_types'),
    } -%}
    {%- set plan = kafka_cdc.get_typed_table_plan(request, relations) if execute else none -%}
    {%- if plan is none -%}
-- Nothing is published yet.
select *
from {{ relations.row_history if request.rows == 'versions' else relations.current_state }}
where false
    {%- else -%}
{%- do kafka_cdc.get_run_memory().setdefault('typed_tables', {}).update({this | string: plan}) -%}
{{ kafka_cdc.select_typed_rows(plan, relations) }}
    {%- endif -%}
{%- endmacro %}
