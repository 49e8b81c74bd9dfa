{#
  Returns what published events tell about the columns of a source table.

  It is asked once for several tables, and kept for the run.

  Arguments:
    events (relation): the model events.
    stream (dict[string, any]): the table, with `shards`.
    published (dict[string, any]): from get_published_tables. Withheld events do not count.
    together (list[dict[string, any]]): entries of published.tables that the run will ask for, too.
    batches (optional[list[integer]]): the landing batches; none for all.

  Returns: a mapping, see get_table_profiles.
#}
{% macro get_table_profile(events, stream, published, together, batches=none) %}
    {%- set in_batches = kafka_cdc.in_batches_condition(batches) if batches is not none else 'true' -%}
    {%- set is_read = in_batches ~ ' and not ' ~ kafka_cdc.withheld_condition(published.holds) -%}
    {%- if stream.is_sharded -%}
        {%- set condition = kafka_cdc.stream_condition(stream) ~ ' and ' ~ is_read -%}
        {{ return(kafka_cdc.get_table_profiles(events, condition, [])['']) }}
    {%- endif -%}

    {%- set memory = kafka_cdc.get_run_memory().setdefault('table_profiles', {}) -%}
    {%- set known = memory.setdefault(published.stats ~ is_read, {}) -%}
    {%- set identity = tojson(stream.tables, sort_keys=true) -%}
    {%- if identity not in known -%}
        {%- set tables = together | map(attribute='tables') | list -%}
        {%- set tables = tables if stream.tables in tables else [stream.tables] -%}
        {%- set condition = kafka_cdc.tables_condition(tables) ~ ' and ' ~ is_read -%}
        {%- set profiles = kafka_cdc.get_table_profiles(events, condition, kafka_cdc.get_table_columns()) -%}
        {%- for table in tables -%}
            {%- set name = tojson(table, sort_keys=true) -%}
            {%- do known.update({name: profiles.get(name, profiles[''])}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(known[identity]) }}
{% endmacro %}
