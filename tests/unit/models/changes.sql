-- One row per change of a unit test, with the columns of changelog.
select
    {%- for name, type in kafka_cdc.get_event_columns().items() %}
    cast(null as {{ type }}) as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
where false
