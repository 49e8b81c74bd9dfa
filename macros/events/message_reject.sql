{#
  Prints an expression: the reject of a message, null if the message can be parsed with certainty.

  Arguments:
    formats (list[string]): the slugs of the formats that are read.

  Requires: the CTE `normalized` of normalized_messages_ctes.
#}
{% macro message_reject(formats) -%}
    {%- set image_of = "if(required_image = 'after_row', {row}.after_row, {row}.before_row)" -%}
    {%- set row_image = image_of.replace('{row}', 'row') -%}
    {%- set has_no_image = 'coalesce(size(' ~ image_of ~ '), 0) < 1' -%}

    {#- With masks, only the payload of a known table without masks is quoted. -#}
    {%- set has_masks = kafka_cdc.has_masks() -%}
    {%- set quotable = kafka_cdc.quotable_condition('parsed.') -%}
    {%- set left_out = "'(left out, because the setting tables has masks)'" -%}

    {#- Spark compiles the condition for one row with one key column, and interprets it for others. -#}
    {%- set first_row_image = image_of.replace('{row}', 'get(rows, 0)') -%}
    case
        when is_tombstone then null
        when unread is not null then unread
        when not is_plain_text and not is_valid_utf8(value) then {{ kafka_cdc.reject_struct('invalid_utf8') }}

        -- The payload could not be parsed at all.
        {%- for slug in formats if kafka_cdc.get_format(slug).read and not kafka_cdc.get_format(slug).reads_json %}
        {%- set hint = kafka_cdc.get_format(slug).unread_hint %}
        when parsed is null and source_format = '{{ slug }}'
            then {{ kafka_cdc.reject_struct('invalid_binary', kafka_cdc.sql_literal(' ' ~ hint) if hint else none) }}
        {%- endfor %}
        when parsed is null and not {{ kafka_cdc.json_object_condition('guarded_value', 'sentinel') | indent(8) }}
            then {{ kafka_cdc.reject_struct('invalid_json') }}
        when not is_plain_text and {{ kafka_cdc.lone_surrogate_condition('value') | indent(8) }}
            then {{ kafka_cdc.reject_struct('lone_surrogate') }}
        when size(recognized_formats) > 1
            then {{ kafka_cdc.reject_struct('ambiguous_format', "array_join(recognized_formats, ', ')") }}
        when source_format is null then {{ kafka_cdc.reject_struct('unknown_format') }}
        when parsed is null then {{ kafka_cdc.reject_struct('unexpected_structure') }}

        -- The message contradicts its format's documentation.
        {%- if has_masks %}
        when parsed.reject.code = 'unknown_connector' and not ({{ quotable | indent(8) }})
            then {{ kafka_cdc.reject_struct('unknown_connector', left_out) }}
        {%- endif %}
        when parsed.reject.code <> 'contradiction' then parsed.reject
        {%- if has_masks %}
        when operation is null and not ({{ quotable | indent(8) }})
            then {{ kafka_cdc.reject_struct('unknown_operation', left_out) }}
        {%- endif %}
        when operation is null
            then {{ kafka_cdc.reject_struct('unknown_operation', "coalesce(parsed.operation_code, 'null')") }}
        when parsed.reject is not null then parsed.reject
        when exists(parsed.source_sequence, part -> part is null)
            then {{ kafka_cdc.reject_struct('invalid_sequence') }}

        -- The operation needs a row and its key.
        when required_image is not null and unread_key is not null and coalesce(size(key_columns), 0) < 1
            then unread_key
        when required_image is not null
            and (size(rows) = 0 or {{ kafka_cdc.any_element_condition('rows', 'row', has_no_image) | indent(12) }})
            then {{ kafka_cdc.reject_struct('missing_image') }}
        when required_image is not null and if(
            size(rows) = 1 and size(key_columns) = 1,
            {{ first_row_image }}[get(key_columns, 0)] is null,
            exists(rows, row ->
                {{ kafka_cdc.incomplete_key_condition(row_image, 'key_columns') }}
                or operation = 'update'
                and {{ kafka_cdc.incomplete_key_condition('row.before_row', 'key_columns') }}
                and exists(key_columns, name -> row.before_row[name] <> row.after_row[name])
            )
        ) then {{ kafka_cdc.reject_struct('missing_key', "array_join(key_columns, ', ')") }}
        {%- if has_masks %}
        when required_image is not null and {{ kafka_cdc.masked_key_condition('key_columns') | indent(8) }}
            then {{ kafka_cdc.reject_struct('masked_key', "array_join(key_columns, ', ')") }}
        {%- endif %}
    end
{%- endmacro %}
