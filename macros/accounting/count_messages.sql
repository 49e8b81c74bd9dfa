{#
  Prints a SELECT of the messages of each landing batch (and of further columns) in raw or in events: landing_batch, …, messages.
  relation: raw, or events (condition: row_index = 0, one event for each message). columns: to group by. Only the columns named
  are read; conditions with literals leave files out.
#}
{% macro count_messages(relation, columns, conditions) -%}
    select {{ columns | join(', ') }}, count(*) as messages
    from {{ relation }}
    {%- if conditions %}
    where {{ conditions | join(' and ') }}
    {%- endif %}
    group by {{ columns | join(', ') }}
{%- endmacro %}
