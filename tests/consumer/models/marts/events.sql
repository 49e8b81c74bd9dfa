-- One row: the number of events. The model has the name of one of the package.
{{ config(schema='marts') }}

select count(*) as number
from {{ ref('kafka_cdc', 'events') }}
