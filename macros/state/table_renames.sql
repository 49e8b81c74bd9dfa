{#
  Prints the CTE renames: the renames that the setting on_rename applies, in order, an array for each stream (source_name,
  source_tenant). Not applied: the first half of RENAME t TO old, new TO t where no row of `new` ever came: t's rows are then still t's.
  Reads the CTE tables.
#}
{% macro table_renames(events) -%}
{%- set parts = ['database', 'schema', 'table'] -%}
{%- set policy = "{} = 'apply'" -%}
renames as (
    select
        source_name,
        source_tenant,
        array_sort(collect_list(struct(row_order, position, old, new))) as renames
    from (
        select
            statements.*,
            position,
            {%- for name, prefix in [('old', ''), ('new', 'new_')] %}
            struct(
                {%- for part in parts %}
                named.{{ prefix }}{{ part }} as source_{{ part }}{{ ',' if not loop.last }}
                {%- endfor %}
            ) as {{ name }},
            {%- endfor %}
            transform(
                filter(ddl_tables, other -> (other.new_database, other.new_schema, other.new_table) = (named.database, named.schema, named.table)),
                other -> struct(other.database as source_database, other.schema as source_schema, other.table as source_table)
            ) as successors
        from (
            {{ in_order(events, "event_kind = 'ddl' and exists(ddl_tables, named -> named.operation = 'rename')") | indent(12) }}
        ) as statements
        lateral view posexplode(ddl_tables) exploded as position, named
        where named.operation = 'rename'
    ) as named
    left join (
        select source_name, source_tenant, collect_set(struct(source_database, source_schema, source_table)) as known
        from tables
        group by source_name, source_tenant
    ) as streams using (source_name, source_tenant)
    where
        'apply' in (
            {{ table_setting('on_rename', "'keep'", 'old.') | indent(12) }},
            {{ table_setting('on_rename', "'keep'", 'new.') | indent(12) }}
        )
        and (size(successors) = 0 or arrays_overlap(successors, known))
    group by source_name, source_tenant
)
{%- endmacro %}
