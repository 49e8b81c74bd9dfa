{#
  Returns the setting `raw_column_mapping` after checking it, raw's columns → SQL over the table that another tool writes, in the order of raw; {} where
  `kafka-cdc land` writes raw. A column that is not named is the table's own of that name; headers, landed_at and topic_incarnation are null,
  null and 0 then; landing_batch must be named.
#}
{% macro get_raw_column_mapping() %}
    {%- set said = var('raw_column_mapping', {}) or {} -%}
    {%- set own = {'topic': 'topic', 'topic_incarnation': '0', 'partition': '`partition`', 'offset': '`offset`', 'timestamp': '`timestamp`', 'key': 'key',
        'value': 'value', 'headers': 'null', 'landed_at': 'null', 'landing_batch': none} -%}
    {%- if not said %}{{ return({}) }}{% endif -%}
    {%- if said is not mapping -%}
        {{ kafka_cdc.raise_setting_error('raw_column_mapping', said, 'a mapping of ' ~ own.keys() | join(', ') ~ ' to SQL', "for example {landing_batch: 'unix_seconds(`timestamp`) div 3600'}") }}
    {%- endif -%}
    {%- for column, expression in said.items() -%}
        {%- if column not in own -%}
            {{ kafka_cdc.raise_setting_error('raw_column_mapping.' ~ column, expression, 'the columns ' ~ own.keys() | join(', '), 'no such column: is it misspelt?') }}
        {%- elif expression is not string or not expression | trim -%}
            {{ kafka_cdc.raise_setting_error('raw_column_mapping.' ~ column, expression, 'SQL over the columns of the raw table', 'put it in quotes') }}
        {%- endif -%}
    {%- endfor -%}
    {%- if 'landing_batch' not in said -%}
        {{ kafka_cdc.raise_setting_error('raw_column_mapping.landing_batch', none, 'SQL for a number, one for each part of the table that a run reads as a whole',
                        'one that a message alone decides, such as the hour of its Kafka timestamp') }}
    {%- endif -%}
    {{ return(dict(own, **said)) }}
{% endmacro %}
