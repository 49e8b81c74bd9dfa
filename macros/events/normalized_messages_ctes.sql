{#
  Prints the CTEs `normalized` and `validated`: parsed messages in the project's terms, with rejects.

  Both steps are the same for every format. A message is either accepted or rejected as a whole.
  A rejected message has no rows.

  The CTE `normalized` adds the columns of get_normalized_columns. The CTE `validated` adds the
  reject.

  Arguments:
    formats (list[string]): the slugs of the formats that are read.

  Requires: the CTE `read_messages` of read_messages_ctes.
#}
{% macro normalized_messages_ctes(formats) -%}
    {%- set has_changes = kafka_cdc.has_changes(formats) -%}
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
    ] + (['mask_line'] if kafka_cdc.has_masks() else []) + (['change_index'] if has_changes else []) -%}
    {%- set computed = ['source_name', 'operation', 'key_columns', 'before_row', 'after_row'] -%}
    {%- set never_null = ['source_tenant', 'source_database', 'source_schema', 'source_table'] -%}

normalized as (
    select
        *
        {%- for name, expression in kafka_cdc.get_normalized_columns().items() %},
        {{ expression | indent(8) }} as {{ name }}
        {%- endfor %}
    from read_messages
),

validated as (
    select
        {%- for name in validated_columns %}
        {{ name }},
        {%- endfor %}
        {%- for name in kafka_cdc.get_format_columns() if name not in computed %}
        {%- if name not in never_null %}
        parsed.{{ name }},
        {%- elif has_changes and kafka_cdc.has_masks() %}
        if(hides_table, '', coalesce(parsed.{{ name }}, '')) as {{ name }},
        {%- else %}
        coalesce(parsed.{{ name }}, '') as {{ name }},
        {%- endif %}
        {%- endfor %}
        parsed.hidden_columns,
        parsed.ddl_targets,
        parsed.snapshot_mark,
        parsed.paths,
        {%- if kafka_cdc.has_table_setting('on_tombstone', ['delete']) %}
        {{ kafka_cdc.masked_tombstone_key(kafka_cdc._tombstone_key(formats)) | indent(8) }} as tombstone_key,
        {%- endif %}
        ddl_word is not null and ddl_word <> 'truncate' as is_ddl,
        {{ kafka_cdc.message_reject(formats) | indent(8) }} as reject
    from normalized
)
{%- endmacro %}

{#
  Prints an expression: the row's key in a tombstone, a map of column to text.

  Formats may read it in their own way. If a key contains a column twice, the last one wins.
#}
{% macro _tombstone_key(formats) -%}
    {%- set own_key -%}
    case
        when not is_tombstone then null
        {%- for slug in formats if kafka_cdc.get_format(slug).tombstone_key %}
        when source_format = '{{ slug }}' then {{ kafka_cdc.get_format(slug).tombstone_key }}
        {%- endfor %}
        else {{ kafka_cdc.message_key() | indent(8) }}
    end
    {%- endset -%}

    {{ kafka_cdc.sql_let({'own_key': own_key}, kafka_cdc.dedupe_map_keys('own_key')) }}
{%- endmacro %}
