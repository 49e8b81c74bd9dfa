-- One row per live customer.
select
    cast(row_values['id'] as bigint) as id,
    row_values['name'] as name,
    try_cast(row_values['balance'] as decimal(12, 2)) as balance
from {{ ref('current_state') }}
where source_name = 'crm' and source_table = 'customers'
