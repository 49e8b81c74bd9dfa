-- One row per live row of a source table (source_name … source_table, row_key).
select * except (is_deleted)
from {{ ref('current_rows') }}
where not is_deleted
