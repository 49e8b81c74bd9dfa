-- One row per payload, with its row read exactly: what every format does with a document.
{{ config(materialized='view') }}
with sealed as (
    select
        *,
        {{ json_seal('value') }} as seal,
        {{ number_mark('value', json_seal('value')) }} as number_mark
    from {{ ref('payloads') }}
),

documents as (
    select
        *,
        {{ read_json_object(sealed_json(exact_text(), 'seal'), 'seal', 'data map<string, string>') }} as document
    from sealed
),

images as (
    select
        *,
        array(struct(document.data as before_row, cast(null as map<string, string>) as after_row)) as images
    from documents
)

select
    name,
    document is not null as is_read,
    transform(map_entries({{ exact_rows('images') }}[0].before_row), entry -> concat_ws('=', entry.key, coalesce(entry.value, 'NULL'))) as said
from images
