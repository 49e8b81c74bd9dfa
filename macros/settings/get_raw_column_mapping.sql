{#
  Returns the setting `raw_column_mapping`, checked: raw's columns over a table of another tool.

  A column that the setting lacks is the table's own column of that name. There are four exceptions:
  headers and landed_at are null then, topic_incarnation is 0, and landing_batch is required.

  Returns: a dictionary, column of raw to SQL, in the order of raw. Empty if landing writes raw.
#}
{% macro get_raw_column_mapping() %}
    {%- set mapping = kafka_cdc.get_setting('raw_column_mapping') or {} -%}
    {%- set defaults = {
        'topic': 'topic',
        'topic_incarnation': '0',
        'partition': '`partition`',
        'offset': '`offset`',
        'timestamp': '`timestamp`',
        'key': 'key',
        'value': 'value',
        'headers': 'null',
        'landed_at': 'null',
        'landing_batch': none,
    } -%}

    {%- if not mapping -%}
        {{ return({}) }}
    {%- endif -%}

    {%- if mapping is not mapping -%}
        {{ kafka_cdc.raise_setting_error(
            setting='raw_column_mapping',
            value=mapping,
            valid='a mapping of ' ~ defaults.keys() | join(', ') ~ ' to SQL',
            hint="for example {landing_batch: 'unix_seconds(`timestamp`) div 3600'}"
        ) }}
    {%- endif -%}

    {%- for column, expression in mapping.items() -%}
        {%- if column not in defaults -%}
            {{ kafka_cdc.raise_setting_error(
                setting='raw_column_mapping.' ~ column,
                value=expression,
                valid='the columns ' ~ defaults.keys() | join(', '),
                hint='this column does not exist; check its spelling'
            ) }}
        {%- elif expression is not string or not expression | trim -%}
            {{ kafka_cdc.raise_setting_error(
                setting='raw_column_mapping.' ~ column,
                value=expression,
                valid='SQL over the columns of the raw table',
                hint='put it in quotes'
            ) }}
        {%- endif -%}
    {%- endfor -%}

    {%- if 'landing_batch' not in mapping -%}
        {{ kafka_cdc.raise_setting_error(
            setting='raw_column_mapping.landing_batch',
            value=none,
            valid='SQL for a number that divides the table into the parts that a run reads completely',
            hint='use a number that depends on the message alone, such as the hour of its Kafka timestamp'
        ) }}
    {%- endif -%}

    {{ return(dict(defaults, **mapping)) }}
{% endmacro %}
