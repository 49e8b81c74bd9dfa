{#
  Prints a MERGE: the rows of the changed keys replace those of a typed table.

  A row that no longer exists is deleted. Of a table of versions, each version is a row. If the new
  events alone decide their rows, the query names the deleted ones.

  Arguments:
    table (relation): the typed table.
    plan (dict[string, any]): from get_typed_table_plan, with change keys.
    query (string): SQL of the new rows, from select_typed_rows.
#}
{% macro merge_typed_rows(table, plan, query) -%}
{%- if plan.deletion_mark is not none -%}
merge into {{ table }} as target
using (
    {{ query | indent(4) }}
) as source
on target.row_key = source.row_key
when matched and source.{{ plan.deletion_mark }} then delete
when matched then update set *
when not matched and not source.{{ plan.deletion_mark }} then insert *
{%- else -%}
{%- set has_versions = plan.request.rows == 'versions' -%}
{%- set row_identity = ['row_key'] + kafka_cdc.get_shard_columns(plan.request) -%}
{%- set identity = row_identity + (kafka_cdc.get_coordinates() if has_versions else []) -%}
merge into {{ table }} as target
using (
    with {{ kafka_cdc.changed_rows_cte(plan, ref('kafka_cdc', 'events')) | indent(4) }},

    new_rows as (
        {{ query | indent(8) }}
    ),

    old_rows as (
        {%- if has_versions %}
        select {{ identity | join(', ') }}
        from {{ table }}
        left semi join changed_rows using ({{ row_identity | join(', ') }})
        {%- else %}
        select {{ row_identity | join(', ') }}
        from changed_rows
        {%- endif %}
    )

    select
        {%- for column in identity %}
        coalesce(new_rows.{{ column }}, old_rows.{{ column }}) as merged_{{ column }},
        {%- endfor %}
        new_rows.*
    from old_rows
    full join new_rows
        on
            {%- for column in identity %}
            {{ 'and ' if not loop.first }}old_rows.{{ column }} = new_rows.{{ column }}
            {%- endfor %}
) as source
on
    {%- for column in identity %}
    {{ 'and ' if not loop.first }}target.{{ column }} = source.merged_{{ column }}
    {%- endfor %}
when matched and source.row_key is null then delete
when matched then update set *
when not matched and source.row_key is not null then insert *
{%- endif -%}
{%- endmacro %}
