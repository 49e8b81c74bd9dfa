{#
  Prints the CTE renames: the renames that the setting on_rename applies, in order, an array for each stream (source_name,
  source_tenant). Not applied: the first half of RENAME t TO old, new TO t where no row of `new` ever came: t's rows are then still t's.
  Nor those that share no order with the rows of a table that had one of their names: the CTE judged_renames says which. Reads the CTE tables.
#}
{% macro table_renames(events) -%}
said_renames as (
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
            coalesce(
                {{ table_setting('on_rename', 'null', 'old.') | indent(16) }},
                {{ table_setting('on_rename', 'null', 'new.') | indent(16) }}
            ) = 'apply'
            and (size(successors) = 0 or arrays_overlap(successors, known))
        -- A statement that comes again at the same place in the vendor's order is one.
        group by
            source_name, source_tenant, position, old, new,
            row_order.epoch, row_order.sequence, if(row_order.sequence is null, row_order, null)
    ) as once
    group by source_name, source_tenant
),

{{ named_tables('tables_by_name', 'said_renames') }},

{{ _judged_renames() }},

renames as (
    select
        source_name,
        source_tenant,
        array_sort(collect_list(rename)) as renames
    from judged_renames
    where shares_order
    group by source_name, source_tenant
)
{%- endmacro %}

{# Prints the CTE judged_renames: each rename, whether it moves rows, and whether it shares an order with those of every table that had one of its names. #}
{% macro _judged_renames() -%}
judged_renames as (
    select
        source_name,
        source_tenant,
        rename,
        bool_or(array_contains(names, rename.old)) as moves_rows,
        bool_and({{ shares_order('rename.row_order') | indent(8) }}) as shares_order
    from (
        select
            tables.*,
            {{ table_setting('order_by', "'sequence'", 'tables.') | indent(12) }} as order_by,
            explode(renames) as rename
        from said_renames
        inner join tables_by_name as tables using (source_name, source_tenant)
    ) as renames_and_tables
    where array_contains(names, rename.old) or array_contains(names, rename.new)
    group by source_name, source_tenant, rename
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
