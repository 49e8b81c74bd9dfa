{#
  Prints SQL for the reject of a message, null where it can be read with certainty. Reads what understand_messages has found:
  unread, unread_key (of framed messages), said, operation, needs (the image that the operation needs), key_columns and rows. formats: the slugs that are read.
#}
{% macro judge_message(formats) -%}
    case
        when is_tombstone then null
        when unread is not null then unread
        when not is_valid_utf8(value) then {{ reject('invalid_utf8') }}
        {%- for slug in formats if get_format(slug).read %}
        {%- set hint = get_format(slug).unread_hint %}
        when said is null and source_format = '{{ slug }}' then {{ reject('invalid_binary', sql_text(' ' ~ hint) | trim if hint else none) }}
        {%- endfor %}
        when said is null and not {{ is_json_object('sealed_value', 'seal') | indent(8) }} then {{ reject('invalid_json') }}
        when {{ has_lone_surrogate('value') | indent(8) }} then {{ reject('lone_surrogate') }}
        when source_format is null then {{ reject('unknown_format') }}
        when said is null then {{ reject('unexpected_structure') }}
        when said.reject.code = 'missing_field' then said.reject
        when operation is null then {{ reject('unknown_operation', "coalesce(said.operation_code, 'null')") }}
        when said.reject is not null then said.reject
        when exists(said.source_sequence, part -> part is null) then {{ reject('invalid_sequence') }}
        when needs is not null and unread_key is not null and coalesce(size(key_columns), 0) < 1 then unread_key
        when needs is not null and (size(rows) = 0 or exists(rows, row -> coalesce(size(if(needs = 'after_row', row.after_row, row.before_row)), 0) < 1))
            then {{ reject('missing_image') }}
        when needs is not null and exists(rows, row ->
            {{ lacks_key("if(needs = 'after_row', row.after_row, row.before_row)", 'key_columns') }}
            or operation = 'update' and {{ lacks_key('row.before_row', 'key_columns') }} and exists(key_columns, name -> row.before_row[name] <> row.after_row[name])
        ) then {{ reject('missing_key', "array_join(key_columns, ', ')") }}
    end
{%- endmacro %}
