{#
  Prints the CTE `table_renames`: the renames that are applied, an array per stream.

  It contains the renames of tables with the setting on_rename: apply, in their order.
  A stream is a pair of source_name and source_tenant. Elements of the array `renames`:
    row_order   sort key of the statement, in the order of the table with the old name
    position    position of the rename in its statement: RENAME TABLE a TO b, c TO d has two
    old, new    the two names, structs of source_database, source_schema and source_table

  Two kinds of renames are not applied:
  * The first part of RENAME TABLE t TO old, new TO t, if no row of `new` ever came. Tools such as
    gh-ost swap in a shadow table that the stream does not capture. The rows then stay with t.
  * Those that share no order with the rows of a table that had one of the two names. The CTE
    `checked_renames` lists them. The table with the old name is held until a setting decides
    (unordered_rename).

  Example: rows of tables t and u came, none of t_new. Five statements in order:
    row_order  statement                              in table_renames
    1          RENAME TABLE t TO archive              t -> archive
    2          RENAME TABLE u TO t                    u -> t
    3          RENAME TABLE t TO t_old, t_new TO t    t_new -> t only: the rows of t stay with t
    4          RENAME TABLE v TO w                    v -> w is parsed, but moves no row
    4          the same statement, redelivered        nothing more: same position in the sequence
  Then rows of t that precede 1 belong to archive, and rows of u that precede 2 belong to t.

  Arguments:
    events (relation): a relation with the columns of the model events.
    holds (list[dict[string, any]]): the held tables, from get_holds.

  Prints: also the CTEs that it requires: `captured_renames`, `configured_renames`, `tables_by_name`,
    `checked_renames`. Each refers to the one before it once, because Spark plans a CTE at each of
    its references.

  Requires: the CTE `source_tables`.
#}
{% macro table_renames_cte(events, holds=[]) -%}
{{ kafka_cdc._captured_renames_cte(events, holds) }},

configured_renames as (
    select
        source_name,
        source_tenant,
        array_sort(collect_list(struct(row_order, position, old, new))) as renames
    from (
        select
            source_name,
            source_tenant,
            min(rename.row_order) as row_order,
            rename.position,
            rename.old,
            rename.new
        from captured_renames
        lateral view explode(renames) exploded as rename
        where
            coalesce(
                {{ kafka_cdc.table_setting('on_rename', 'null', 'rename.old.') | indent(16) }},
                {{ kafka_cdc.table_setting('on_rename', 'null', 'rename.new.') | indent(16) }}
            ) = 'apply'
            and (size(rename.successors) = 0 or arrays_overlap(rename.successors, names))
        -- A statement that comes again at the same position of the vendor's sequence counts once.
        group by
            source_name,
            source_tenant,
            rename.position,
            rename.old,
            rename.new,
            rename.row_order.sequence_generation,
            rename.row_order.sequence,
            if(rename.row_order.sequence is null, rename.row_order, null)
    ) as distinct_renames
    group by source_name, source_tenant
),

{{ kafka_cdc.named_tables_cte('tables_by_name', 'configured_renames') }},

{{ kafka_cdc._checked_renames_cte() }},

table_renames as (
    select
        source_name,
        source_tenant,
        array_sort(collect_list(rename)) as renames
    from checked_renames
    where shares_order
    group by source_name, source_tenant
    -- Always true. A query that is not deterministic is planned once, and not once per reference.
    having rand() >= 0
)
{%- endmacro %}

{#
  Prints the CTE `captured_renames`: per stream its renames, and the table names that rows came from.

  `names` includes the names that renames gave to these tables.
#}
{% macro _captured_renames_cte(events, holds) -%}
captured_renames as (
    select
        source_name,
        source_tenant,
        renames,
        aggregate(
            renames,
            coalesce(first_names, array()),
            (names, rename) -> if(
                array_contains(names, rename.old),
                array_union(names, array(rename.new)),
                names
            )
        ) as names
    from (
        select
            source_name,
            source_tenant,
            array_sort(collect_list(struct(row_order, position, old, new, successors))) as renames
        from (
            {{ kafka_cdc._parsed_renames(events, holds) | indent(12) }}
        ) as parsed_renames
        group by source_name, source_tenant
    ) as renames_of_streams
    left join (
        select
            source_name,
            source_tenant,
            collect_set(struct(source_database, source_schema, source_table)) as first_names
        from source_tables
        group by source_name, source_tenant
    ) as streams using (source_name, source_tenant)
)
{%- endmacro %}

{#
  Prints the CTE `checked_renames`: the configured renames, one row each, with two checks.

  moves_rows: a table with rows had the old name. shares_order: the statement shares an order with
  the rows of every table that had one of its names.
#}
{% macro _checked_renames_cte() -%}
checked_renames as (
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
        from tables_by_name as tables
    ) as renames_and_tables
    where array_contains(names, rename.old) or array_contains(names, rename.new)
    group by source_name, source_tenant, rename
)
{%- endmacro %}

{#
  Prints a SELECT: the renames in statements, one row each.

  `row_order` is the sort key of the statement in the order of the table with the old name.

  `successors` are the tables that take over the old name later in the same statement, by the names
  that they had before it. In RENAME TABLE t TO old, new TO t the successor of t is `new`.
#}
{% macro _parsed_renames(events, holds) -%}
{%- set condition = "event_kind = 'ddl' and exists(ddl_tables, named -> named.operation = 'rename')" -%}
{%- set old_name, new_name = kafka_cdc._table_name('named'), kafka_cdc._table_name('named', 'new_') -%}
select
    *,
    {{ kafka_cdc.row_order(kafka_cdc.table_setting('order_by', "'sequence'", 'old.'), is_statement=true) }} as row_order
from (
    select
        statements.* except (row_order),
        position,
        {{ old_name | indent(8) }} as old,
        {{ new_name | indent(8) }} as new,
        transform(
            filter(
                transform(ddl_tables, (table_of_statement, at) -> struct(table_of_statement, at)),
                candidate -> {{ kafka_cdc._table_name('candidate.table_of_statement', 'new_') | indent(16) }}
                    = {{ old_name | indent(16) }}
            ),
            -- go back through the statement to the name that the candidate had before it
            candidate -> aggregate(
                reverse(slice(ddl_tables, 1, candidate.at)),
                {{ kafka_cdc._table_name('candidate.table_of_statement') | indent(16) }},
                (name, earlier) -> if(
                    {{ kafka_cdc._table_name('earlier', 'new_') | indent(20) }} = name,
                    {{ kafka_cdc._table_name('earlier') | indent(20) }},
                    name
                )
            )
        ) as successors
    from (
        {{ kafka_cdc.select_ordered_events(events, condition) | indent(8) }}
    ) as statements
    lateral view posexplode(ddl_tables) exploded as position, named
    where named.operation = 'rename'
) as renames_of_statements
{%- if holds %}
where
    not {{ kafka_cdc.withheld_condition(holds, 'old.') | indent(4) }}
    and not {{ kafka_cdc.withheld_condition(holds, 'new.') | indent(4) }}
{%- endif %}
{%- endmacro %}

{# Prints an expression: the name in an entry of ddl_tables, a struct; prefix 'new_': new name. #}
{% macro _table_name(table, prefix='') -%}
    struct(
        {{ table }}.{{ prefix }}database as source_database,
        {{ table }}.{{ prefix }}schema as source_schema,
        {{ table }}.{{ prefix }}table as source_table
    )
{%- endmacro %}
