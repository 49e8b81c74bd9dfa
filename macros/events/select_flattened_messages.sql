{#
  Prints the SELECT that turns landed messages into rows of the event contract: every format in one pass over raw, one parse
  of each payload. formats: the slugs to read, none for all, each message's format recognized. messages: SQL of the CTE messages
  (landed_messages); none for what recognized_messages has recognized, as a staging view reads it.
  A message with several rows becomes several events; one that cannot be read with certainty becomes one rejected event.
  While dbt parses, when nobody reads the SQL, it only checks the formats and the settings.
#}
{% macro select_flattened_messages(formats, messages=none) -%}
{%- set slugs = formats or kafka_cdc.get_formats() -%}
{%- if not execute -%}
{%- do ref('recognized_messages') if messages is none -%}
{%- do kafka_cdc.get_topic_settings() -%}
{%- do kafka_cdc.get_table_settings() -%}
{%- for slug in slugs %}{% do kafka_cdc.get_format(slug) %}{% endfor -%}
{%- else -%}
with {% if messages is not none -%} {{ messages }},

{% endif -%}
recognized as (
    {% if messages is none -%}
    select *
    from {{ ref('recognized_messages') }}
    where source_format in ('{{ slugs | join("', '") }}')
    {%- else -%}
    {{ kafka_cdc.select_recognized_messages('messages', formats) | indent(4) }}
    {%- endif %}
),

-- Each format reads its own messages.
read_messages as (
    select
        *,
        case
            when is_tombstone then null
            {%- for slug in slugs %}
            when source_format = '{{ slug }}' then {{ kafka_cdc.flattened_message(slug) | indent(12) }}
            {%- endfor %}
        end as said
    from recognized
),

-- What a message says is understood and judged in one way for all formats.
{{ kafka_cdc.normalized_messages_ctes(slugs) }},

-- One row for each row of a message, or for the message.
event_rows as (
    select
        judged.* except (rows),
        coalesce(position, 0) as row_index,
        row.before_row,
        row.after_row,
        {{ kafka_cdc.json_key('row.before_row', 'key_columns') | indent(8) }} as before_key,
        {{ kafka_cdc.json_key('row.after_row', 'key_columns') | indent(8) }} as after_key
    from judged
    lateral view outer posexplode(if(reject is null and needs is not null, rows, null)) exploded as position, row
)

{{ kafka_cdc.select_events() }}
{%- endif -%}
{%- endmacro %}
