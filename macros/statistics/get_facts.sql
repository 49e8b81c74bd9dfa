{#
  Returns facts about the stream and its source tables, from a version of event_batch_stats.

  A build asks once per version. See get_stream_facts and get_table_facts.

  Arguments:
    statistics (optional[string]): SQL of the version, from get_versioned_relation; none before there
      are statistics.

  Returns: a mapping (dict[string, any]) with stream (dict[string, integer]) and tables
    (dict[string, boolean]).
#}
{% macro get_facts(statistics) %}
    {%- set names = [
        'before_events',
        'partial_moves',
        'path_updates',
        'truncates',
        'drops',
        'renames',
        'snapshot_rows',
        'tombstones',
    ] -%}
    {%- set partition -%}
    if(sequenced_changes + unsequenced_changes > 0, struct(kafka_topic, kafka_partition), null)
    {%- endset -%}
    {%- set several_partitions = 'min(' ~ partition ~ ') <> max(' ~ partition ~ ')' -%}
    {%- set conditions = {
        'several_partitions': several_partitions,
        'unsequenced_partitions': several_partitions ~ ' and sum(unsequenced_changes) > 0',
        'mixed_sequences': 'sum(sequenced_changes) > 0 and sum(unsequenced_changes) > 0',
        'missing_keys': 'sum(keyless_changes) > 0 and sum(changes - keyless_changes) > 0',
    } -%}
    {%- if statistics is none -%}
        {%- set stream = dict(dict.fromkeys(names, 1), masks=0) -%}
        {{ return({'stream': stream, 'tables': dict.fromkeys(conditions, true)}) }}
    {%- endif -%}

    {%- set known = kafka_cdc.get_run_memory().setdefault('facts', {}) -%}
    {%- if statistics not in known -%}
        {#- An older version of this package has published a version without newer counters. -#}
        {%- set existing = run_query('select * from ' ~ statistics ~ ' where false').column_names -%}
        {%- set query -%}
            select
                {%- for name in names + ['masks'] %}
                coalesce(sum({{ name }}), 0) as {{ name }},
                {%- endfor %}
                {%- for name in conditions %}
                coalesce(bool_or({{ name }}), false) as {{ name }}{{ ',' if not loop.last }}
                {%- endfor %}
            from (
                select
                    {%- for name in names %}
                    {{ 'sum(' ~ name ~ ')' if name in existing else 0 }} as {{ name }},
                    {%- endfor %}
                    count_if(exists(columns, column -> startswith(column.type, 'masked('))) as masks,
                    {%- for name, condition in conditions.items() %}
                    {{ condition }} as {{ name }}{{ ',' if not loop.last }}
                    {%- endfor %}
                from {{ statistics }}
                group by {{ kafka_cdc.get_table_columns() | join(', ') }}
            ) as tables
        {%- endset -%}
        {%- set found, stream, tables = run_query(query).rows[0], {}, {} -%}
        {%- for name in names + ['masks'] -%}
            {%- do stream.update({name: found[name] | int}) -%}
        {%- endfor -%}
        {%- for name in conditions -%}
            {%- do tables.update({name: found[name]}) -%}
        {%- endfor -%}
        {%- do known.update({statistics: {'stream': stream, 'tables': tables}}) -%}
    {%- endif -%}
    {{ return(known[statistics]) }}
{% endmacro %}
