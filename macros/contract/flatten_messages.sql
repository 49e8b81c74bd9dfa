{#
  Prints the SELECT that turns landed messages into rows of the event contract: every format in one pass over raw, one parse
  of each payload. formats: the slugs to read. batches: the landing batches to read, none for all.
  A message with several rows becomes several events; one that cannot be read with certainty becomes one rejected event.
#}
{% macro flatten_messages(formats, batches=none) -%}
with {{ landed_messages(batches) }},

recognised as (
    select
        *,
        case
            when settings.format is not null then settings.format
            when not is_tombstone then {{ recognise_format('value') | indent(16) }}
        end as source_format
    from messages
),

-- Each format reads its own messages; what it says is then understood and judged in one way for all.
understood as (
    select
        recognised.* except (value, kafka_key, settings, seal, number_mark),
        message.*
    from recognised
    lateral view inline(transform(
        case
            when is_tombstone then array(null)
            {%- for slug in formats %}
            when source_format = '{{ slug }}' then {{ flatten_message(slug) | indent(12) }}
            {%- endfor %}
            else array(null)
        end,
        said -> {{ understand_message() | indent(8) }}
    )) message
    {%- if formats != get_formats() %}
    where recognised.source_format in ('{{ formats | join("', '") }}')
    {%- endif %}
),

-- One row for each row of a message, or for the message.
event_rows as (
    select
        understood.* except (rows),
        coalesce(position, 0) as row_index,
        row.*
    from understood
    lateral view outer posexplode(if(reject is null and needs is not null, rows, null)) exploded as position, row
)

{{ select_events() }}
{%- endmacro %}
