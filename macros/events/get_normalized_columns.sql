{#
  Returns the columns that normalize a parsed message, in the project's terms.

  An expression may read the names before it. The columns are:
  * the name of the stream, the statement of DDL and its first words
  * the operation, and `required_image`, which is after_row, before_row, or null if the operation needs none
  * the key columns, sorted
  * the rows with exact numbers
  * `mask_line`, if the setting `tables` masks columns. See the macro of that name.

  The SQL requires the columns of select_recognized_messages and the column `parsed`.

  Returns: a dictionary, column to SQL.
#}
{% macro get_normalized_columns() %}
    {%- set ddl_operations = [] -%}
    {%- for operation, meaning in kafka_cdc.get_operations().items() if meaning[0] == 'ddl' -%}
        {%- do ddl_operations.append(operation) -%}
    {%- endfor -%}

    {#- What a DDL statement does, by its own words. Empty without a statement. -#}
    {%- set ddl_word -%}
    case
        when parsed.operation in ('{{ ddl_operations | join("', '") }}')
            then coalesce({{ kafka_cdc.ddl_operation('ddl_statement') | indent(8) }}, '')
    end
    {%- endset -%}

    {%- set operation -%}
    case
        when is_tombstone then 'tombstone'
        when ddl_word = 'truncate' then 'truncate'
        when parsed.operation = 'ddl' then coalesce(nullif(ddl_word, ''), 'other')
        else parsed.operation
    end
    {%- endset -%}

    {%- set required_image -%}
    case
        when operation in ('insert', 'update', 'snapshot') then 'after_row'
        when operation in ('delete', 'update_before') then 'before_row'
    end
    {%- endset -%}

    {#- The key of the setting tables counts first, then the message's own, then that of the setting topics. -#}
    {%- set listed_key_columns -%}
    coalesce(
        {{ kafka_cdc.table_setting('key', 'null', 'parsed.') | indent(8) }},
        if(size(parsed.key_columns) > 0, parsed.key_columns, null),
        settings.key
    )
    {%- endset -%}
    {%- set key_columns -%}
    if(size(listed_key_columns) < 2, listed_key_columns, array_sort(array_distinct(listed_key_columns)))
    {%- endset -%}

    {%- set columns = {
        'is_plain_text': kafka_cdc.plain_text_condition('value'),
        'source_name': 'coalesce(settings.source, parsed.source_name, source_format)',
        'ddl_statement': kafka_cdc.ddl_statement('parsed.ddl_text'),
        'ddl_word': ddl_word,
        'operation': operation,
        'required_image': required_image,
        'listed_key_columns': listed_key_columns,
        'key_columns': key_columns,
        'rows': kafka_cdc.exact_rows('parsed.rows'),
    } -%}
    {%- if kafka_cdc.has_masks() -%}
        {%- do columns.update({'mask_line': kafka_cdc.mask_line('parsed.')}) -%}
    {%- endif -%}
    {{ return(columns) }}
{% endmacro %}
