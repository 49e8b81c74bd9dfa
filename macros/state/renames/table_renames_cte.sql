{#
  Prints the CTE renames: the renames that the setting on_rename applies, in order, an array for each stream (source_name,
  source_tenant). Not applied: the first half of RENAME t TO old, new TO t where no row of `new` ever came: t's rows are then still t's.
  Nor those that share no order with the rows of a table that had one of their names: the CTE judged_renames says which. Reads the CTE tables.
#}
{% macro table_renames_cte(events) -%}
named_renames as (
    {{ kafka_cdc._named_renames(events) | indent(4) }}
),

{{ kafka_cdc._known_names() }},

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
        from named_renames
        left join known_names using (source_name, source_tenant)
        where
            coalesce(
                {{ kafka_cdc.table_setting('on_rename', 'null', 'old.') | indent(16) }},
                {{ kafka_cdc.table_setting('on_rename', 'null', 'new.') | indent(16) }}
            ) = 'apply'
            and (size(successors) = 0 or arrays_overlap(successors, known))
        -- A statement that comes again at the same place in the vendor's order is one.
        group by
            source_name, source_tenant, position, old, new,
            row_order.sequence_generation, row_order.sequence, if(row_order.sequence is null, row_order, null)
    ) as once
    group by source_name, source_tenant
),

{{ kafka_cdc.named_tables_cte('tables_by_name', 'said_renames') }},

{{ kafka_cdc._judged_renames() }},

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

{# Prints the CTE known_names: for each stream the names of tables of which rows came, those too that renames gave them. Reads the CTEs tables and named_renames. #}
{% macro _known_names() -%}
known_names as (
    select
        source_name,
        source_tenant,
        aggregate(
            coalesce(renames, array()),
            known,
            (names, rename) -> if(array_contains(names, rename.old), array_union(names, array(rename.new)), names)
        ) as known
    from (
        select source_name, source_tenant, collect_set(struct(source_database, source_schema, source_table)) as known
        from tables
        group by source_name, source_tenant
    ) as streams
    left join (
        select source_name, source_tenant, array_sort(collect_list(struct(row_order, position, old, new))) as renames
        from named_renames
        group by source_name, source_tenant
    ) as renames_of_streams using (source_name, source_tenant)
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
        bool_and({{ kafka_cdc.shared_order_condition('rename.row_order') | indent(8) }}) as shares_order
    from (
        select
            tables.*,
            {{ kafka_cdc.table_setting('order_by', "'sequence'", 'tables.') | indent(12) }} as order_by,
            explode(renames) as rename
        from said_renames
        inner join tables_by_name as tables using (source_name, source_tenant)
    ) as renames_and_tables
    where array_contains(names, rename.old) or array_contains(names, rename.new)
    group by source_name, source_tenant, rename
)
{%- endmacro %}

{#
  Prints the SELECT of the renames that statements say, a row for each, in the order of the old name's table, and in `successors` the tables,
  by their names before the statement, that take the old name in it.
#}
{% macro _named_renames(events) -%}
select
    *,
    {{ kafka_cdc.row_order(kafka_cdc.table_setting('order_by', "'sequence'", 'old.')) }} as row_order
from (
    select
        statements.* except (row_order),
        position,
        {{ kafka_cdc._table_name('named') }} as old,
        {{ kafka_cdc._table_name('named', 'new_') }} as new,
        transform(
            filter(
                transform(ddl_tables, (other, at) -> struct(other, at)),
                one -> {{ kafka_cdc._table_name('one.other', 'new_') }} = {{ kafka_cdc._table_name('named') }}
            ),
            one -> aggregate(
                reverse(slice(ddl_tables, 1, one.at)),
                {{ kafka_cdc._table_name('one.other') }},
                (name, earlier) -> if({{ kafka_cdc._table_name('earlier', 'new_') }} = name, {{ kafka_cdc._table_name('earlier') }}, name)
            )
        ) as successors
    from (
        {{ kafka_cdc.select_ordered_events(events, "event_kind = 'ddl' and exists(ddl_tables, named -> named.operation = 'rename')") | indent(8) }}
    ) as statements
    lateral view posexplode(ddl_tables) exploded as position, named
    where named.operation = 'rename'
) as renames_of_statements
{%- endmacro %}

{# Prints the name of a table of ddl_tables as a struct; prefix: new_ for the name that it gets. #}
{% macro _table_name(table, prefix='') -%}
    struct({{ table }}.{{ prefix }}database as source_database, {{ table }}.{{ prefix }}schema as source_schema, {{ table }}.{{ prefix }}table as source_table)
{%- endmacro %}
