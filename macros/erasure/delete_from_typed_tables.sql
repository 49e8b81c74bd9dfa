{#
  Deletes erased rows from the typed tables of their source tables.

  It finds them by the hashes. So a repeated command also finds what an interrupted one has left.

  Arguments:
    rows (list[dict[string, any]]): tables with their rows, as erase_rows takes them.
    erased (relation): the table erased_rows.

  Returns: a list of dictionaries with `name`, a typed table, and `rows`, how many were deleted.
#}
{% macro delete_from_typed_tables(rows, erased) %}
    {%- set deleted = [] -%}
    {%- for typed_table in kafka_cdc.get_typed_tables() -%}
        {%- set built_from = kafka_cdc.get_built_from(typed_table) -%}
        {%- set tables = [] -%}
        {%- for table in rows -%}
            {#- A table that does not say what it was built from is written again by the next build. -#}
            {%- if table.tables in built_from.get('shards', [built_from.get('tables', table.tables)]) -%}
                {%- do tables.append(table.tables) -%}
            {%- endif -%}
        {%- endfor -%}

        {%- set number = tables and kafka_cdc._delete_from_typed_table(typed_table, tables, built_from, erased) -%}
        {%- if number -%}
            {%- do deleted.append({'name': typed_table.schema ~ '.' ~ typed_table.identifier, 'rows': number}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(deleted) }}
{% endmacro %}

{# Deletes erased rows of some tables from a typed table, and returns their number. #}
{% macro _delete_from_typed_table(typed_table, tables, built_from, erased) %}
    {%- set shard = kafka_cdc.get_shard_columns({'is_sharded': built_from.is_sharded}) -%}
    {%- set keys = kafka_cdc._select_erased_keys(typed_table, tables, shard, erased) -%}
    {%- set same_row -%}
        target.row_key = erased_keys.row_key
        {%- for column in shard %} and target.{{ column }} = erased_keys.{{ column }}{% endfor %}
    {%- endset -%}
    {%- set query -%}
        select count(*)
        from {{ typed_table }} as target
        left semi join ({{ keys }}) as erased_keys on {{ same_row }}
    {%- endset -%}
    {%- set number = run_query(query).columns[0].values()[0] -%}
    {%- if number -%}
        {#- Not DELETE: Delta's log would keep its condition, which contains the key. -#}
        {%- set statement -%}
            merge into {{ typed_table }} as target
            using ({{ keys }}) as erased_keys
            on {{ same_row }}
            when matched then delete
        {%- endset -%}
        {%- do run_query(statement) -%}
    {%- endif -%}
    {{ return(number) }}
{% endmacro %}

{# Prints a SELECT: the keys of a typed table whose rows are erased, and their shards. #}
{% macro _select_erased_keys(typed_table, tables, shard, erased) -%}
    select distinct
        row_key{% for column in shard %},
        {{ column }}{% endfor %}
    from (
        select
            *,
            {{ kafka_cdc.row_hash('row_key') }} as row_hash
        from (
            select
                target.row_key,
                parts.*
            from {{ typed_table }} as target
            inner join (
                {%- for parts in tables %}
                {{ 'union all' if not loop.first }}
                select
                    {%- for column in kafka_cdc.get_table_columns() %}
                    {{ kafka_cdc.sql_literal(parts[column]) }} as {{ column }}{{ ',' if not loop.last }}
                    {%- endfor %}
                {%- endfor %}
            ) as parts
                on true
                {%- for column in shard %} and target.{{ column }} = parts.{{ column }}{% endfor %}
        ) as rows_of_tables
    ) as hashed_rows
    left semi join {{ erased }} as erased using (row_hash)
{%- endmacro %}
