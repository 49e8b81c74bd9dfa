-- One row per order in current_state.
select
    row_values['id'] as id,
    row_values['amount'] as amount
from {{ ref('kafka_cdc', 'current_state') }}
where source_table = 'orders'
