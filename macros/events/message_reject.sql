{#
  Prints SQL for the reject of a message, null where it can be read with certainty. Reads what normalized_messages_ctes has found:
  unread, unread_key (of framed messages), said, operation, needs (the image that the operation needs), key_columns and rows. formats: the slugs that are read.
#}
{% macro message_reject(formats) -%}
    case
        when is_tombstone then null
        when unread is not null then unread
        when not is_valid_utf8(value) then {{ kafka_cdc.reject_struct('invalid_utf8') }}
        {%- for slug in formats if kafka_cdc.get_format(slug).read %}
        {%- set hint = kafka_cdc.get_format(slug).unread_hint %}
        when said is null and source_format = '{{ slug }}' then {{ kafka_cdc.reject_struct('invalid_binary', kafka_cdc.sql_literal(' ' ~ hint) | trim if hint else none) }}
        {%- endfor %}
        when said is null and not {{ kafka_cdc.json_object_condition('guarded_value', 'sentinel') | indent(8) }} then {{ kafka_cdc.reject_struct('invalid_json') }}
        when {{ kafka_cdc.lone_surrogate_condition('value') | indent(8) }} then {{ kafka_cdc.reject_struct('lone_surrogate') }}
        when source_format is null then {{ kafka_cdc.reject_struct('unknown_format') }}
        when said is null then {{ kafka_cdc.reject_struct('unexpected_structure') }}
        when said.reject.code = 'missing_field' then said.reject
        when operation is null then {{ kafka_cdc.reject_struct('unknown_operation', "coalesce(said.operation_code, 'null')") }}
        when said.reject is not null then said.reject
        when exists(said.source_sequence, part -> part is null) then {{ kafka_cdc.reject_struct('invalid_sequence') }}
        when needs is not null and unread_key is not null and coalesce(size(key_columns), 0) < 1 then unread_key
        when needs is not null and (size(rows) = 0 or exists(rows, row -> coalesce(size(if(needs = 'after_row', row.after_row, row.before_row)), 0) < 1))
            then {{ kafka_cdc.reject_struct('missing_image') }}
        when needs is not null and exists(rows, row ->
            {{ kafka_cdc.incomplete_key_condition("if(needs = 'after_row', row.after_row, row.before_row)", 'key_columns') }}
            or operation = 'update' and {{ kafka_cdc.incomplete_key_condition('row.before_row', 'key_columns') }} and exists(key_columns, name -> row.before_row[name] <> row.after_row[name])
        ) then {{ kafka_cdc.reject_struct('missing_key', "array_join(key_columns, ', ')") }}
    end
{%- endmacro %}
