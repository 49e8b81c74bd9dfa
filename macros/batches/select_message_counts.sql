{#
  Prints a SELECT: the number of messages of each landing batch, as `messages`.

  Only the columns that are needed are read. Conditions with literals let the table format skip
  files.

  Arguments:
    relation (relation): raw or events. With events, `row_index = 0` selects one event per message.
    columns (list[string]): the columns to group by, such as landing_batch.
    conditions (list[string]): SQL conditions.
    coordinates (list[string]): the columns that identify a message. If there are any, the column
      `messages_hash` is added. It differs if two groups have different messages, regardless of
      their number and order.
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
