{#
  Warns of every source table that is held: it keeps its last published state.

  With the setting on_held: fail the test fails, and the build with it. All other tables are
  published in both cases.

  Arguments:
    model (relation): the model held_tables.
#}
{% test tables_are_not_held(model) %}
{#- dbt passes a model of that name in the project that installs this one, if there is one. -#}
{%- set model = ref('kafka_cdc', 'held_tables') -%}
{{ config(severity='error' if kafka_cdc.get_on_held() == 'fail' else 'warn') }}
{%- if execute and not kafka_cdc.get_holds(kafka_cdc.get_model_relation('table_holds'), is_published=true) -%}
-- No table is held.
select cast(null as string) as finding
where false
{%- else -%}
{%- set landed -%}
date_format(to_utc_timestamp(last_published_at, current_timezone()), 'yyyy-MM-dd HH:mm:ss')
{%- endset %}
select concat(
    'table ', {{ kafka_cdc.table_path() }}, ' of source ', source_name, ' is held',
    if(
        published_batches = 0,
        ', so that it is not published',
        concat(
            ': it keeps its state of ',
            coalesce(
                concat('the landing at ', {{ landed }}, ' UTC'),
                concat('landing batch ', last_published_batch)
            )
        )
    ),
    '. Reason: ', finding, '. ', remedy
) as finding
from {{ model }}
order by finding
{%- endif %}
{% endtest %}
