{#
  Prints the CTEs understood and judged of select_flattened_messages: what a message is, the same for every format, from what its
  format `said` (null: unread). formats: the slugs that are read. A message is what it says, or rejected as a whole, and then it has no rows.
#}
{% macro normalized_messages_ctes(formats) -%}
    {%- set ddl = [] -%}
    {%- for word, meaning in kafka_cdc.get_operations().items() if meaning[0] == 'ddl' %}{% do ddl.append(word) %}{% endfor -%}
    {%- set identity = ['source_tenant', 'source_database', 'source_schema', 'source_table'] -%}
understood as (
    select
        *,
        coalesce(settings.source, said.source_name, source_format) as source_name,
        {{ kafka_cdc.ddl_statement('said.ddl_text') | indent(8) }} as ddl_statement,
        case when said.operation in ('{{ ddl | join("', '") }}') then coalesce({{ kafka_cdc.ddl_operation('ddl_statement') | indent(8) }}, '') end as ddl_word,
        case
            when is_tombstone then 'tombstone'
            when ddl_word = 'truncate' then 'truncate'
            when said.operation = 'ddl' then coalesce(nullif(ddl_word, ''), 'other')
            else said.operation
        end as operation,
        case
            when operation in ('insert', 'update', 'snapshot') then 'after_row'
            when operation in ('delete', 'update_before') then 'before_row'
        end as needs,
        array_sort(array_distinct(coalesce(
            {{ kafka_cdc.table_setting('key', 'null', 'said.') | indent(12) }},
            if(size(said.key_columns) > 0, said.key_columns, null),
            settings.key
        ))) as key_columns,
        {{ kafka_cdc.exact_rows('said.rows') | indent(8) }} as rows
    from read_messages
),

judged as (
    select
        {%- for name in ['kafka_topic', 'topic_incarnation', 'kafka_partition', 'kafka_offset', 'kafka_timestamp', 'landed_at',
            'landing_batch', 'source_format', 'source_name', 'operation', 'needs', 'key_columns', 'ddl_statement', 'rows'] %}
        {{ name }},
        {%- endfor %}
        {%- for name in kafka_cdc.get_format_columns() if name not in ['source_name', 'operation', 'key_columns', 'before_row', 'after_row'] %}
        {{ "coalesce(said." ~ name ~ ", '') as " ~ name if name in identity else 'said.' ~ name }},
        {%- endfor %}
        said.hidden_columns,
        said.ddl_targets,
        said.snapshot_mark,
        {%- if kafka_cdc.has_table_setting('on_tombstone', ['delete']) %}
        {{ kafka_cdc._tombstone_key(formats) | indent(8) }} as tombstone_key,
        {%- endif %}
        ddl_word is not null and ddl_word <> 'truncate' as is_ddl,
        {{ kafka_cdc.message_reject(formats) | indent(8) }} as reject
    from understood
)
{%- endmacro %}

{# Prints SQL for the row's key that a tombstone says, a map of column → text: read as its format says, else the Kafka key as it stands. #}
{% macro _tombstone_key(formats) -%}
    case
        when not is_tombstone then null
        {%- for slug in formats if kafka_cdc.get_format(slug).tombstone_key %}
        when source_format = '{{ slug }}' then {{ kafka_cdc.get_format(slug).tombstone_key }}
        {%- endfor %}
        else {{ kafka_cdc.message_key() | indent(8) }}
    end
{%- endmacro %}
