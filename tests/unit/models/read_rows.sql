-- One row per payload, with its row parsed exactly, as every format parses a document.
{{ config(materialized='view') }}
with messages as (
    select
        *,
        {{ kafka_cdc.json_sentinel('value') }} as sentinel,
        {{ kafka_cdc.number_marker('value', kafka_cdc.json_sentinel('value')) }} as number_marker
    from {{ ref('payloads') }}
),

documents as (
    select
        *,
        {{ kafka_cdc.read_json_object(
            kafka_cdc.json_between_sentinels(kafka_cdc.exact_text(), 'sentinel'),
            'sentinel',
            'data map<string, string>'
        ) }} as document
    from messages
),

images as (
    select
        *,
        array(struct(document.data as before_row, cast(null as map<string, string>) as after_row)) as images
    from documents
)

select
    name,
    document is not null as is_parsed,
    transform(
        map_entries({{ kafka_cdc.exact_rows('images') }}[0].before_row),
        entry -> concat_ws('=', entry.key, coalesce(entry.value, 'NULL'))
    ) as columns
from images
