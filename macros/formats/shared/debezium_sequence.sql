{# Prints the position of a change in its database's log, null for a message without one. #}
{% macro debezium_sequence(source) -%}
    {%- set scn = 'coalesce(' ~ source ~ '.commit_scn, ' ~ source ~ '.scn)' -%}
    {%- set lsns = 'from_json(' ~ source ~ ".sequence, 'array<string>')" -%}
    {%- set lsn = "concat_ws(':', " ~ source ~ '.commit_lsn, ' ~ source ~ '.change_lsn)' -%}
    case
        when {{ source }}.connector in ('mysql', 'mariadb') and (change.op is not null or {{ source }}.file is not null)
            then {{ kafka_cdc.sequence_array(['regexp_extract(' ~ source ~ ".file, r'([0-9]+)\\z', 1)", source ~ '.pos',
                "if(" ~ source ~ ".connector = 'mysql', coalesce(" ~ source ~ ".`row`, '0'), '0')"]) }}
        when {{ source }}.connector = 'postgresql'
            then {{ kafka_cdc.sequence_array(['coalesce(get(' ~ lsns ~ ', 0), ' ~ source ~ '.lsn)', 'coalesce(' ~ source ~ '.lsn, get(' ~ lsns ~ ', 1))']) }}
        when {{ source }}.connector in ('sqlserver', 'db2') and (change.op is not null or {{ source }}.commit_lsn is not null) then if(
            {{ lsn }} rlike r'^[0-9a-fA-F]{8}(:[0-9a-fA-F]{4,8})+\z',
            transform(split(concat_ws(':', {{ lsn }}, hex(try_cast({{ source }}.event_serial_no as bigint))), ':'),
                part -> try_cast(conv(part, 16, 10) as bigint)), array(null))
        when {{ source }}.connector = 'oracle' and (change.op is not null or {{ source }}.scn is not null)
            then if({{ source }}.ssn is null, {{ kafka_cdc.sequence_array([scn, source ~ '.scn']) }}, {{ kafka_cdc.sequence_array([scn, source ~ '.scn', source ~ '.ssn']) }})
    end
{%- endmacro %}
