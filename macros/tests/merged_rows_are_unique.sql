{#
  Fails if merged_rows has a row, a merged batch or another marker twice.

  A version of merged_rows that is already published is not tested again.

  Arguments:
    model (relation): the model merged_rows.
#}
{% test merged_rows_are_unique(model) %}
{#- dbt passes a model of that name in the project that installs this one, if there is one. -#}
{%- set model = ref('kafka_cdc', 'merged_rows') -%}
{%- set identity = kafka_cdc.get_table_columns() | join(', ') ~ ', row_key' -%}
select concat(
    'a row is in merged_rows ', count(*), ' times: ', to_json(struct({{ identity }})),
    '. Run dbt build again; if the finding stays, report it'
) as finding
from {{ model }}
{%- if execute and kafka_cdc.get_latest_version(model, is_fresh=false) == kafka_cdc.get_published_version(model) %}
-- This version is published and was tested before.
where false
{%- endif %}
group by
    if(row_kind in ('live', 'deleted'), 'row', row_kind),
    {{ identity }},
    if(row_kind = 'batch', landing_batch, null)
having count(*) > 1
{% endtest %}
