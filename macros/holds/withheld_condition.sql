{#
  Prints a condition: the source table is held, and the event came after the hold began.

  The batches are literals, so that the table format skips their files.

  Example: (
      (source_name, …, source_table) in (('canal', '', 'shop', '', 'orders'))
      and (landing_batch > 55 or coalesce(landed_at > timestamp_micros(1764059402000000), false))
    )

  Arguments:
    holds (list[dict[string, any]]): from get_holds. Without any, the condition is false.
    prefix (string): what precedes the three columns source_database, source_schema and source_table,
      such as 'old.' for fields of a struct.

  Requires: the columns that name the source table and `landing_batch`, which are never null, and
    `landed_at`.
#}
{% macro withheld_condition(holds, prefix='') -%}
    {%- set tables = {} -%}
    {%- for hold in holds -%}
        {%- set literals = [] -%}
        {%- for column in kafka_cdc.get_table_columns() -%}
            {%- do literals.append(kafka_cdc.sql_literal(hold[column])) -%}
        {%- endfor -%}
        {%- set batches = kafka_cdc.withheld_batches_condition(hold) -%}
        {%- do tables.setdefault(batches, []).append('(' ~ literals | join(', ') ~ ')') -%}
    {%- endfor -%}

    {%- set columns = [] -%}
    {%- for column in kafka_cdc.get_table_columns() -%}
        {%- do columns.append(column if column in ['source_name', 'source_tenant'] else prefix ~ column) -%}
    {%- endfor -%}

    {%- if not tables -%}
    false
    {%- else -%}
    (
    {%- for batches, names in tables.items() %}
        {{ 'or ' if not loop.first -}}
        ({{ columns | join(', ') }}) in (
            {{ names | join(',\n            ') }}
        )
        {%- if batches %} and {{ batches }}{% endif %}
    {%- endfor %}
    )
    {%- endif -%}
{%- endmacro %}
