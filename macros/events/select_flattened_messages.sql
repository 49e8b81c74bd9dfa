{#
  Prints a SELECT: landed messages as rows of the event contract.

  All formats are read in one pass over raw, and each payload is parsed once. The steps are CTEs:
  1. recognized: each message with its format.
  2. read_messages: each message, or each of its changes, as its format parses it.
  3. normalized, validated: the same steps for all formats, see normalized_messages_ctes.
  4. event_rows: one row per row of a message, or one per message without rows. Masks of the setting
     `tables` are applied here, for all formats, before the keys are computed.

  A message that cannot be parsed with certainty becomes one rejected event.
  While dbt parses the project, the macro only checks the formats and the settings. In a build, the
  staging view of a format without messages has no rows (get_used_formats). Other commands of dbt,
  such as dbt show, print its query.

  Arguments:
    formats (optional[list[string]]): the slugs of the formats to read. None: all formats. A message
      of another format is left out, a message of no format is rejected.
    messages (optional[string]): SQL of landed_messages_ctes. None: read the view
      recognized_messages, as staging views do.
    topics (optional[dict[string, list[string]]]): topics that are not mapped, by the one format of
      their messages. None: recognize each message.
#}
{% macro select_flattened_messages(formats, messages=none, topics=none) -%}
{#- If no message has a format, the branch of any format gives `parsed` its type. -#}
{%- set all_slugs = kafka_cdc.get_formats() -%}
{%- set slugs = all_slugs if formats is none else (formats or all_slugs[:1]) -%}
{%- set has_masks = kafka_cdc.has_masks() -%}
{%- do kafka_cdc.check_topic_sources() -%}
{%- set before_row = 'before_row' if has_masks else 'row.before_row' -%}
{%- set after_row = 'after_row' if has_masks else 'row.after_row' -%}
{%- if not execute -%}
    {%- do ref('kafka_cdc', 'recognized_messages') if messages is none -%}
    {%- do kafka_cdc.check_setting_names() -%}
    {%- do kafka_cdc.get_table_settings() -%}
    {%- for slug in slugs -%}
        {%- do kafka_cdc.get_format(slug) -%}
    {%- endfor -%}
{%- elif messages is none and flags.WHICH in ['run', 'build']
    and not kafka_cdc.get_used_formats() | select('in', slugs) | list -%}
-- No message of this format has landed. The first build that finds one gives this view its query.
select
    {%- for name, type in kafka_cdc.get_event_columns().items() %}
    cast(null as {{ type }}) as {{ name }}{{ ',' if not loop.last }}
    {%- endfor %}
where false
{%- else -%}
{%- set has_changes = kafka_cdc.has_changes(slugs) -%}
with {% if messages is not none -%} {{ messages }},

{% endif -%}
recognized as (
    {% if messages is none -%}
    select *
    from {{ ref('kafka_cdc', 'recognized_messages') }}
    where source_format in ('{{ slugs | join("', '") }}')
    {%- elif topics is not none -%}
    {{ kafka_cdc.select_recognized_messages('messages', slugs, topics) | indent(4) }}
    {%- elif formats is none -%}
    {{ kafka_cdc.select_recognized_messages('messages') | indent(4) }}
    {%- else -%}
    select *
    from (
        {{ kafka_cdc.select_recognized_messages('messages') | indent(8) }}
    )
    -- A message of another format landed after the formats were determined. The next run reads it.
    where source_format is null or source_format in ('{{ slugs | join("', '") }}')
    {%- endif %}
),

{{ kafka_cdc.read_messages_ctes(slugs) }},

-- Parsed messages are normalized and validated in the same way for all formats.
{{ kafka_cdc.normalized_messages_ctes(slugs) }},

-- One row for each row of a message, or for the message.
event_rows as (
    select
        validated.* except (rows, column_types),
        {{ 'change_index + ' if has_changes }}coalesce(position, 0) as row_index,
        {{ kafka_cdc.masked_row('row.before_row') | indent(8) ~ ' as before_row' if has_masks else 'row.before_row' }},

        -- A delete never has a row after it, in any format.
        if(required_image = 'after_row', {{ kafka_cdc.masked_row('row.after_row') | indent(8) }}, null) as after_row,
        {{ kafka_cdc.json_key(before_row, 'key_columns') | indent(8) }} as before_key,
        if(
            required_image = 'after_row',
            {{ kafka_cdc.json_key(after_row, 'key_columns') | indent(12) }},
            null
        ) as after_key,
        {#- Most types have the names of the row, which has no duplicates. #}
        if(
            map_keys(column_types) = map_keys(coalesce(row.after_row, row.before_row)),
            column_types,
            {{ kafka_cdc.dedupe_map_keys('column_types') | indent(12) }}
        ) as column_types
    from validated
    lateral view outer posexplode(
        if(reject is null and required_image is not null, rows, null)
    ) exploded as position, row
)

{{ kafka_cdc.select_events() }}
{%- endif -%}
{%- endmacro %}
