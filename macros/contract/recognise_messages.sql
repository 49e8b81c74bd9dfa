{# Prints the SELECT that adds to messages (of landed_messages) the format that each is in: source_format, a slug or null. #}
{% macro recognise_messages(messages) -%}
select
    *,
    case
        when settings.format is not null then settings.format
        when not is_tombstone then {{ recognise_format('value') | indent(12) }}
    end as source_format
from {{ messages }}
{%- endmacro %}
