{#
  Prints the SELECT that turns landed messages into rows of the event contract: every format in one pass over raw, one parse
  of each payload. formats: the slugs to read, none for all, each message's format recognised. messages: SQL of the CTE messages
  (landed_messages); none for what recognised_messages has recognised, as a staging view reads it.
  A message with several rows becomes several events; one that cannot be read with certainty becomes one rejected event.
  While dbt parses, when nobody reads the SQL, it only checks the formats and the settings.
#}
{% macro flatten_messages(formats, messages=none) -%}
{%- set slugs = formats or get_formats() -%}
{%- if not execute -%}
{%- do ref('recognised_messages') if messages is none -%}
{%- do get_topic_settings() -%}
{%- do get_table_settings() -%}
{%- for slug in slugs %}{% do get_format(slug) %}{% endfor -%}
{%- else -%}
with {% if messages is not none -%} {{ messages }},

{% endif -%}
recognised as (
    {% if messages is none -%}
    select *
    from {{ ref('recognised_messages') }}
    where source_format in ('{{ slugs | join("', '") }}')
    {%- else -%}
    {{ recognise_messages('messages', formats) | indent(4) }}
    {%- endif %}
),

-- Each format reads its own messages.
read_messages as (
    select
        *,
        case
            when is_tombstone then null
            {%- for slug in slugs %}
            when source_format = '{{ slug }}' then {{ flatten_message(slug) | indent(12) }}
            {%- endfor %}
        end as said
    from recognised
),

-- What a message says is understood and judged in one way for all formats.
{{ understand_messages(slugs) }},

-- One row for each row of a message, or for the message.
event_rows as (
    select
        judged.* except (rows),
        coalesce(position, 0) as row_index,
        row.before_row,
        row.after_row,
        {{ json_key('row.before_row', 'key_columns') | indent(8) }} as before_key,
        {{ json_key('row.after_row', 'key_columns') | indent(8) }} as after_key
    from judged
    lateral view outer posexplode(if(reject is null and needs is not null, rows, null)) exploded as position, row
)

{{ select_events() }}
{%- endif -%}
{%- endmacro %}
