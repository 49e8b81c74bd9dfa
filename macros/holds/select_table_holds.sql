{#
  Prints a SELECT: the rows of table_holds, one per held source table and finding.

  A table is held while a check has a finding about it. A hold that was published before keeps its
  begin, so that the table keeps the state that it had then.

  late_batches lists the batches that neither their number nor their time shows to be unpublished
  (withheld_batches_condition). So the begin is never before the newest landing, even if the clocks
  of two computers differ. Each batch that landed by then is listed if it is found later.

  Applied renames move rows between tables. If one table is held, so are all that renames connect
  with it.

  Example: batches up to 55 are published, 56 is not. A check finds table orders.
    held already  held_since  last_published_batch
    no            now         55: the changes of batch 56 are withheld
    since 40      of then     40: the changes since batch 41 are withheld

  Arguments:
    findings (string): SQL of the findings, from select_findings.
    table_renames (optional[string]): SQL of the renames, from select_table_renames; none if no
      rename is applied.
    published_holds (optional[string]): SQL of the published version of table_holds, if there is one.
    last_published_batch (optional[integer]): from get_last_published_batch.
    unpublished_batches (optional[list[integer]]): from get_unpublished_batches.
    batch_stats (relation): the model event_batch_stats.
    published_stats (optional[string]): SQL of its published version, if there is one. A replay can
      find a table in a published landing batch that had no events of it. They are late, too.
#}
{% macro select_table_holds(
    findings,
    table_renames,
    published_holds,
    last_published_batch,
    unpublished_batches,
    batch_stats,
    published_stats
) -%}
{%- set last_batch = 'null' if last_published_batch is none else last_published_batch -%}
{#- Of a new table all batches are withheld. Renames can give a table rows without events of its own. -#}
{%- set has_new_tables = published_stats and not table_renames -%}
{%- if has_new_tables -%}
    {%- set last_batch = 'if(is_published, ' ~ last_batch ~ ', null)' -%}
{%- endif -%}
{%- set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set late_batches = [] -%}
{%- for batch in unpublished_batches or [] if last_published_batch is not none and batch < last_published_batch -%}
    {%- do late_batches.append(batch) -%}
{%- endfor -%}
with findings as (
    {{ findings | indent(4) }}
),
{% if table_renames %}
table_renames as (
    {{ table_renames | indent(4) }}
),

-- The names that renames connect with those of held tables, step by step.
connected_tables as (
    select
        *,
        aggregate(
            renames,
            held_names,
            (names, step) -> array_union(
                names,
                flatten(
                    filter(
                        transform(renames, rename -> array(rename.old, rename.new)),
                        rename -> arrays_overlap(rename, names)
                    )
                )
            )
        ) as names
    from (
        select
            source_name,
            source_tenant,
            array_sort(
                collect_list(
                    struct(
                        source_database,
                        source_schema,
                        source_table,
                        check_name,
                        finding,
                        remedy
                    )
                )
            ) as held_tables,
            collect_set(struct(source_database, source_schema, source_table)) as held_names
        from findings
        group by source_name, source_tenant
    ) as held_streams
    left join table_renames using (source_name, source_tenant)
),

connected_findings as (
    select
        source_name,
        source_tenant,
        found.*
    from connected_tables
    lateral view inline(
        concat(
            held_tables,
            transform(
                coalesce(array_except(names, held_names), array()),
                name -> struct(
                    name.source_database as source_database,
                    name.source_schema as source_schema,
                    name.source_table as source_table,
                    'renamed_with_held_table' as check_name,
                    concat('a RENAME connects this table with a held one: ', held_tables[0].finding) as finding,
                    held_tables[0].remedy as remedy
                )
            )
        )
    ) found as source_database, source_schema, source_table, check_name, finding, remedy
),
{% endif %}
published_holds as (
    {%- if published_holds %}
    select distinct
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        held_since,
        last_published_batch,
        late_batches
    from {{ published_holds }}
    {%- else %}
    -- No table was held before.
    select
        {%- for column in kafka_cdc.get_table_columns() %}
        '' as {{ column }},
        {%- endfor %}
        cast(null as timestamp) as held_since,
        cast(null as bigint) as last_published_batch,
        cast(null as array<bigint>) as late_batches
    where false
    {%- endif %}
)
{%- if published_stats %},

-- the published landing batches in which a table was found only now
found_tables as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        array_sort(collect_set(struct(landing_batch, landed_at))) as found_batches
    from {{ batch_stats }}
    left anti join {{ published_stats }} using (landing_batch, {{ table }})
    group by {{ table }}
)
{%- endif %},
{%- if has_new_tables %}

published_tables as (
    select distinct
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        true as is_published
    from {{ published_stats }}
),
{%- endif %}

-- lower landing batches that are not published, and the time of the newest landing
landings as (
    select
        array_sort(collect_list(struct(landing_batch, landed_at))) as unpublished_batches,
        (select max(landed_at) from {{ batch_stats }}) as newest_landing
    from (
        select explode(cast(array({{ late_batches | join(', ') }}) as array<bigint>)) as landing_batch
    ) as batches
    left join (
        select
            landing_batch,
            min(landed_at) as landed_at
        from {{ batch_stats }}
        where {{ kafka_cdc.in_batches_condition(late_batches) }}
        group by landing_batch
    ) as times using (landing_batch)
)

select distinct
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    coalesce(held_since, greatest(current_timestamp(), newest_landing)) as held_since,
    if(
        held_since is null,
        cast({{ last_batch }} as bigint),
        last_published_batch
    ) as last_published_batch,
    array_union(
        coalesce(late_batches, array()),
        transform(
            filter(
                {{ 'concat(unpublished_batches, coalesce(found_batches, array()))' if published_stats
                    else 'unpublished_batches' }},
                batch -> batch.landing_batch <= if(held_since is null, {{ last_batch }}, last_published_batch)
                {%- if not kafka_cdc.get_raw_column_mapping() %}
                and not coalesce(batch.landed_at > held_since, false)
                {%- endif %}
            ),
            batch -> batch.landing_batch
        )
    ) as late_batches,
    check_name,
    finding,
    remedy
from {{ 'connected_findings' if table_renames else 'findings' }}
left join published_holds using ({{ table }})
{%- if published_stats %}
left join found_tables using ({{ table }})
{%- endif %}
{%- if has_new_tables %}
left join published_tables using ({{ table }})
{%- endif %}
cross join landings
{%- endmacro %}
