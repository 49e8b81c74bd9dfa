{#
  Prints a SELECT: a finding for each source table with statements that may have changed rows without events for them.

  A statement is not reported if a source snapshot of the table followed.

  Arguments:
    unreplicated_ddl_effects (relation): the model of that name.
#}
{% macro select_unreplicated_statements(unreplicated_ddl_effects) -%}
{%- set position = 'struct(happened_at, kafka_offset)' %}
select concat(
    'table ', coalesce(nullif({{ kafka_cdc.table_path() }}, ''), '(not named)'), ' of source ', source_name,
    ' has ', count(*), ' statements that may have changed rows without change events. The last one, at ',
    coalesce(cast(max(happened_at) as string), 'an unknown time'), ', ',
    array_join(max_by(effects, {{ position }}), ' and '), ': ',
    coalesce(left(max_by(ddl_text, {{ position }}), 200), '(no text)'),
    '. Take a new snapshot of the table to correct them'
) as finding
from {{ unreplicated_ddl_effects }}
where not has_snapshot_since
group by {{ kafka_cdc.get_table_columns() | join(', ') }}
{%- endmacro %}
