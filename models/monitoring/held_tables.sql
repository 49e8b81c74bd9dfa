-- One row per source table that keeps its last published state and reason for it (source_name, source_tenant,
-- source_database, source_schema, source_table, check_name, finding).
-- depends_on: {{ ref('kafka_cdc', 'changelog') }}
{% set table = kafka_cdc.get_table_columns() | join(', ') -%}
{%- set holds = kafka_cdc.get_holds(ref('kafka_cdc', 'table_holds'), is_published=true) -%}
with tables as (
    select
        {{ kafka_cdc.get_table_columns() | join(',\n        ') }},
        count(distinct if(is_withheld, null, landing_batch)) as published_batches,
        max(landed_at) filter (where not is_withheld) as last_published_at,
        count(distinct if(is_withheld, landing_batch, null)) as withheld_batches,
        min_by(landing_batch, struct(landed_at, landing_batch)) filter (where is_withheld) as first_withheld_batch,
        max_by(landing_batch, struct(landed_at, landing_batch)) filter (where is_withheld) as last_withheld_batch,
        sum(if(is_withheld, changes + truncates, 0)) as withheld_changes
    from (
        select
            statistics.*,
            {{ kafka_cdc.withheld_condition(holds) | indent(12) }} as is_withheld
        from {{ kafka_cdc.published_relation(ref('kafka_cdc', 'event_batch_stats')) }} as statistics
        -- Without held tables, Spark does not read the statistics.
        left semi join {{ kafka_cdc.published_relation(ref('kafka_cdc', 'table_holds')) }} using ({{ table }})
    ) as batch_stats
    where changes > 0
    group by {{ table }}
)

select
    {{ kafka_cdc.get_table_columns() | join(',\n    ') }},
    holds.held_since,
    holds.last_published_batch,
    tables.last_published_at,
    holds.late_batches,
    tables.published_batches,
    tables.withheld_batches,
    tables.first_withheld_batch,
    tables.last_withheld_batch,
    tables.withheld_changes,
    holds.check_name,
    holds.finding,
    holds.remedy
from {{ kafka_cdc.published_relation(ref('kafka_cdc', 'table_holds')) }} as holds
inner join tables using ({{ table }})
