{#
  Prints the CTE renames: the renames that the setting on_rename applies, in order, an array for each stream (source_name,
  source_tenant). Not applied: the first half of RENAME t TO old, new TO t where no row of `new` ever came: t's rows are then still t's.
  And the CTE name_changes: for each name that a table had, its renames in order, each with the steps that led on from it to the name
  of now; a row then need not look through the renames of all tables. Reads the CTE tables.
#}
{% macro table_renames(events) -%}
renames as (
    select
        source_name,
        source_tenant,
        array_sort(collect_list(struct(row_order, position, old, new))) as renames
    from (
        select
            source_name,
            source_tenant,
            min(row_order) as row_order,
            position,
            old,
            new
        from ({{ _named_renames(events) | indent(12) }}) as named
        left join (
            select source_name, source_tenant, collect_set(struct(source_database, source_schema, source_table)) as known
            from tables
            group by source_name, source_tenant
        ) as streams using (source_name, source_tenant)
        where
            'apply' in (
                {{ table_setting('on_rename', "'keep'", 'old.') | indent(16) }},
                {{ table_setting('on_rename', "'keep'", 'new.') | indent(16) }}
            )
            and (size(successors) = 0 or arrays_overlap(successors, known))
        -- A statement that comes again at the same place in the vendor's order is one.
        group by
            source_name, source_tenant, position, old, new,
            row_order.epoch, row_order.sequence, if(row_order.sequence is null, row_order, null)
    ) as once
    group by source_name, source_tenant
),

name_changes as (
    select
        source_name,
        source_tenant,
        old.*,
        array_sort(collect_list(struct(row_order, position, steps))) as name_changes
    from (
        select
            source_name,
            source_tenant,
            rename.*,
            aggregate(
                filter(renames, later -> (later.row_order, later.position) > (rename.row_order, rename.position)),
                array(struct(rename.row_order as row_order, rename.new as name)),
                (steps, later) -> if(
                    element_at(steps, -1).name = later.old,
                    concat(steps, array(struct(later.row_order as row_order, later.new as name))),
                    steps
                )
            ) as steps
        from renames
        lateral view explode(renames) exploded as rename
    ) as steps_of_renames
    group by source_name, source_tenant, old
)
{%- endmacro %}

{# Prints the SELECT of the renames that statements say, a row for each, and in `successors` who takes the old name in the same statement. #}
{% macro _named_renames(events) -%}
{%- set parts = ['database', 'schema', 'table'] -%}
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
{%- endmacro %}
