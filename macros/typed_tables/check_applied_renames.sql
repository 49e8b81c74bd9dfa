{#
  Raises an error if on_rename applies a rename from or to the table's name. Its rows then have two
  names in the messages, or two tables have the name.

  Arguments:
    table (string): database[.schema].table.
    source (optional[string]): the stream.
#}
{% macro check_applied_renames(table, source) %}
    {%- set events = ref('kafka_cdc', 'events') -%}
    {%- set batch_stats = ref('kafka_cdc', 'event_batch_stats') -%}

    {%- if kafka_cdc.get_stream_facts(batch_stats).renames -%}
        {%- set query -%}
            with {{ kafka_cdc.source_tables_cte(batch_stats) }},

            {{ kafka_cdc.table_renames_cte(events) }}

            select distinct
                source_name,
                {{ kafka_cdc.table_path('rename.old.') }} as old_path,
                {{ kafka_cdc.table_path('rename.new.') }} as new_path
            from (select source_name, explode(renames) as rename from table_renames) as applied
        {%- endset -%}

        {%- for row in run_query(query).rows -%}
            {%- if table in [row.old_path, row.new_path] and source in [none, row.source_name] -%}
                {{ kafka_cdc.raise_error(
                    'the rename of ' ~ row.old_path ~ ' to ' ~ row.new_path ~ ' of source ' ~ row.source_name
                        ~ ' is applied, so that rows of ' ~ table ~ ' have another name in the messages',
                    'set on_rename: keep for both names, and use the name in the messages'
                ) }}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}
