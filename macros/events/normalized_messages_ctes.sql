{#
  Prints the CTEs `normalized` and `validated`: parsed messages in the project's terms, with rejects.

  Both steps are the same for every format. A message is either accepted or rejected as a whole.
  A rejected message has no rows.

  The CTE `normalized` adds the operation, the statement of DDL, the key columns and exact rows. It
  also adds `required_image`, which is after_row, before_row, or null if the operation needs none.
  If the setting `tables` masks columns, it also adds `mask_line`, see the macro of that name.
  The CTE `validated` adds the reject.

  Arguments:
    formats (list[string]): the slugs of the formats that are read.

  Requires: the CTE `read_messages` of select_flattened_messages, with the column `parsed`.
#}
{% macro normalized_messages_ctes(formats) -%}
    {%- set ddl_operations = [] -%}
    {%- for operation, meaning in kafka_cdc.get_operations().items() if meaning[0] == 'ddl' -%}
        {%- do ddl_operations.append(operation) -%}
    {%- endfor -%}

    {%- set validated_columns = [
        'kafka_topic',
        'topic_incarnation',
        'kafka_partition',
        'kafka_offset',
        'kafka_timestamp',
        'landed_at',
        'landing_batch',
        'source_format',
        'source_name',
        'operation',
        'required_image',
        'key_columns',
        'ddl_statement',
        'rows',
    ] + (['mask_line'] if kafka_cdc.has_masks() else []) -%}
    {%- set computed = ['source_name', 'operation', 'key_columns', 'before_row', 'after_row'] -%}
    {%- set never_null = ['source_tenant', 'source_database', 'source_schema', 'source_table'] -%}

normalized as (
    select
        *,
        {{ kafka_cdc.plain_text_condition('value') }} as is_plain_text,
        coalesce(settings.source, parsed.source_name, source_format) as source_name,
        {{ kafka_cdc.ddl_statement('parsed.ddl_text') | indent(8) }} as ddl_statement,

        -- What a DDL statement does, by its own words. Empty without a statement.
        case
            when parsed.operation in ('{{ ddl_operations | join("', '") }}')
                then coalesce({{ kafka_cdc.ddl_operation('ddl_statement') | indent(8) }}, '')
        end as ddl_word,
        case
            when is_tombstone then 'tombstone'
            when ddl_word = 'truncate' then 'truncate'
            when parsed.operation = 'ddl' then coalesce(nullif(ddl_word, ''), 'other')
            else parsed.operation
        end as operation,
        case
            when operation in ('insert', 'update', 'snapshot') then 'after_row'
            when operation in ('delete', 'update_before') then 'before_row'
        end as required_image,

        -- The key of the setting tables counts first, then the message's own, then that of the setting topics.
        array_distinct(coalesce(
            {{ kafka_cdc.table_setting('key', 'null', 'parsed.') | indent(12) }},
            if(size(parsed.key_columns) > 0, parsed.key_columns, null),
            settings.key
        )) as distinct_key_columns,
        if(size(distinct_key_columns) < 2, distinct_key_columns, array_sort(distinct_key_columns)) as key_columns,
        {{ kafka_cdc.exact_rows('parsed.rows') | indent(8) }} as rows
        {%- if kafka_cdc.has_masks() %},
        {{ kafka_cdc.mask_line('parsed.') | indent(4) }} as mask_line
        {%- endif %}
    from read_messages
),

validated as (
    select
        {%- for name in validated_columns %}
        {{ name }},
        {%- endfor %}
        {%- for name in kafka_cdc.get_format_columns() if name not in computed %}
        {{ "coalesce(parsed." ~ name ~ ", '') as " ~ name if name in never_null else 'parsed.' ~ name }},
        {%- endfor %}
        parsed.hidden_columns,
        parsed.ddl_targets,
        parsed.snapshot_mark,
        {%- if kafka_cdc.has_table_setting('on_tombstone', ['delete']) %}
        {{ kafka_cdc.masked_tombstone_key(kafka_cdc._tombstone_key(formats)) | indent(8) }} as tombstone_key,
        {%- endif %}
        ddl_word is not null and ddl_word <> 'truncate' as is_ddl,
        {{ kafka_cdc.message_reject(formats) | indent(8) }} as reject
    from normalized
)
{%- endmacro %}

{# Prints an expression: the row's key in a tombstone, a map of column to text. Formats may read it in their own way. #}
{% macro _tombstone_key(formats) -%}
    case
        when not is_tombstone then null
        {%- for slug in formats if kafka_cdc.get_format(slug).tombstone_key %}
        when source_format = '{{ slug }}' then {{ kafka_cdc.get_format(slug).tombstone_key }}
        {%- endfor %}
        else {{ kafka_cdc.message_key() | indent(8) }}
    end
{%- endmacro %}
