-- One row per DDL statement: what it does, and the names in it.
with statements as (
    select
        {{ kafka_cdc.ddl_statement('ddl_text') }} as statement,
        source_table
    from {{ ref('statements') }}
)

select
    {{ kafka_cdc.ddl_operation('statement') }} as operation,
    transform(
        {{ kafka_cdc.ddl_names('statement', 'cast(null as array<string>)') }},
        name -> concat(
            array_join(name.old_parts, '/'),
            if(size(name.new_parts) > 0, ' > ', ''),
            array_join(name.new_parts, '/')
        )
    ) as names
from statements
