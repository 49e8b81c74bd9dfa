{#
  Prints the CTE `read_messages`: the messages with the column `parsed`, as their formats parse
  them.

  It is null if the payload cannot be parsed. If a format has the entry `changes`, there is one row
  for each change of a message, and these columns are added:
  * change_index: the number of the change in its message, from 0.
  * hides_table: whether the table of a rejected message is not shown, because the message contains
    changes of a table with masks, too. Only if the setting `tables` masks columns.

  One rejected change rejects its message: only the first rejected change remains.

  Arguments:
    formats (list[string]): the slugs of the formats that are read.

  Requires: the CTE `recognized` of select_flattened_messages.
#}
{% macro read_messages_ctes(formats) -%}
{%- set has_changes = kafka_cdc.has_changes(formats) -%}
{%- set has_masks = kafka_cdc.has_masks() -%}
-- Each format parses its own messages. The result is null if the payload cannot be parsed.
{{ 'read_payloads' if has_changes else 'read_messages' }} as (
    select
        *,
        {#- Spark's parser reads a CASE to its END before it parses it. That is slow for the SQL of all formats. #}
        if(is_tombstone, null, coalesce(
            {%- for slug in formats %}
            {%- set flattened = kafka_cdc.flattened_message(slug) | indent(12) %}
            {%- if has_changes and not kafka_cdc.get_format(slug).changes %}
            {%- set flattened = 'array(' ~ flattened ~ ')' %}
            {%- endif %}
            if(source_format = '{{ slug }}', {{ flattened }}, null)
            {{- ',' if not loop.last }}
            {%- endfor %}
        )) as {{ 'changes' if has_changes else 'parsed' }}
    from recognized
)
{%- if has_changes %},

-- A message with several changes is rejected if one of them is.
checked_payloads as (
    select
        *,
        if(
            size(changes) > 1,
            filter(changes, (parsed, change_index) -> {{ kafka_cdc._rejected_change_condition(formats) | indent(12) }}),
            null
        ) as rejected_changes
        {%- if has_masks %},
        coalesce(
            size(rejected_changes) > 0
            and exists(changes, parsed -> {{ kafka_cdc._masked_change_condition() | indent(12) }}),
            false
        ) as hides_table
        {%- endif %}
    from read_payloads
),

-- One row for each change. Only the first row of a message has its text, so that it is checked once.
read_messages as (
    select
        checked_payloads.* except (value, guarded_value, changes, rejected_changes),
        change_index,
        change.value,
        change.guarded_value,
        change.parsed
    from checked_payloads
    lateral view posexplode(transform(
        if(size(rejected_changes) > 0, slice(rejected_changes, 1, 1), coalesce(changes, array(null))),
        (parsed, change_index) -> struct(
            parsed,
            if(change_index = 0, value, null) as value,
            if(change_index = 0, guarded_value, null) as guarded_value
        )
    )) exploded as change_index, change
)
{%- endif %}
{%- endmacro %}

{# Prints a condition: the change `parsed` of a message with several is rejected. The first one checks the text. #}
{% macro _rejected_change_condition(formats) -%}
    {%- set columns = kafka_cdc.get_normalized_columns() -%}
    {%- do columns.update({'is_plain_text': 'change_index > 0 or ' ~ columns.is_plain_text}) -%}
    {{ kafka_cdc.sql_let(columns, kafka_cdc.message_reject(formats) ~ ' is not null') }}
{%- endmacro %}

{# Prints a condition: the change `parsed` may not be quoted, because its table is unknown or has masks. #}
{% macro _masked_change_condition() -%}
    {%- set source_name = kafka_cdc.get_normalized_columns().source_name -%}
    {{ kafka_cdc.sql_let({'source_name': source_name}, 'not (' ~ kafka_cdc.quotable_condition('parsed.') ~ ')') }}
{%- endmacro %}
