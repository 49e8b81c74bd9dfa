{#
  Returns the merged source tables whose resets have changed since the merge.

  A TRUNCATE may have arrived since, or a setting may decide otherwise about an earlier one.

  Arguments:
    merged (string): SQL of merged_rows at the version to read.
    table_resets (optional[string]): the CTEs up to `table_resets`, from merged_resets_ctes; none if
      nothing empties a table.

  Returns: list[dict[string, string]], the columns that name the table with their values.
#}
{% macro get_reset_tables(merged, table_resets) %}
    {%- set tables = [] -%}
    {%- set columns = kafka_cdc.get_table_columns() | join(', ') -%}
    {%- if execute and table_resets -%}
        {%- set query -%}
            select to_json(struct({{ columns }})) as reset_table
            from (
                {{ kafka_cdc.select_reset_fingerprints(table_resets) | indent(16) }}
            ) as resets
            full join (
                select
                    {{ columns }},
                    merged_version as known_version
                from {{ merged }}
                where row_kind = 'reset'
            ) as known using ({{ columns }})
            where not merged_version <=> known_version
        {%- endset -%}
        {%- for row in run_query(query).rows -%}
            {%- do tables.append(fromjson(row.reset_table)) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(tables) }}
{% endmacro %}
