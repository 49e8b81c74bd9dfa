{#
  Prints a SELECT of the messages of each landing batch (and of further columns) in raw or in events: landing_batch, …, messages.
  relation: raw, or events (condition: row_index = 0, one event for each message). columns: to group by. Only the columns named
  are read; conditions with literals leave files out. coordinates: the columns that say which message a row is, for one column more,
  messages_hash: another number where these are other messages, however many, in whatever order they stand. [] where the count says enough.
#}
{% macro select_message_counts(relation, columns, conditions, coordinates=[]) -%}
    select
        {{ columns | join(', ') }},
        count(*) as messages
        {%- if coordinates %},
        bit_xor(xxhash64(`{{ coordinates | join('`, `') }}`)) as messages_hash
        {%- endif %}
    from {{ relation }}
    {%- if conditions %}
    where {{ conditions | join(' and ') }}
    {%- endif %}
    group by {{ columns | join(', ') }}
{%- endmacro %}
