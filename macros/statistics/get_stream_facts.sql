{#
  Returns what the stream contains, a mapping of name to number.

  The SQL of the state leaves out the steps that a stream does not need.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    is_published (boolean): whether to read its published version or its present content.

  Returns: a mapping of name to number (dict[string, integer]) for before_events, partial_moves,
    truncates, drops, renames, snapshot_rows and tombstones. Before there are statistics, each is 1.
    `masks` is the number of rows of batch_stats with masked events. It is 0 before.
#}
{% macro get_stream_facts(batch_stats, is_published=false) %}
    {%- set names = [
        'before_events',
        'partial_moves',
        'truncates',
        'drops',
        'renames',
        'snapshot_rows',
        'tombstones',
    ] -%}
    {%- set facts = {'masks': 0} -%}
    {%- for name in names -%}
        {%- do facts.update({name: 1}) -%}
    {%- endfor -%}

    {%- set relation = kafka_cdc.get_versioned_relation(batch_stats, is_published) -%}
    {%- if relation is none -%}
        {{ return(facts) }}
    {%- endif -%}

    {#- A build with nothing new asks four times about one version. -#}
    {%- set known = kafka_cdc.get_run_memory().setdefault('stream_facts', {}) -%}
    {%- if relation not in known -%}
        {%- set query -%}
            select
                coalesce(sum({{ names | join('), 0), coalesce(sum(') }}), 0),
                count_if(exists(columns, column -> startswith(column.type, 'masked('))) as masks
            from {{ relation }}
        {%- endset -%}
        {%- set sums = run_query(query).rows[0] -%}
        {%- for name in names -%}
            {%- do facts.update({name: sums[loop.index0] | int}) -%}
        {%- endfor -%}
        {%- do facts.update({'masks': sums.masks | int}) -%}
        {%- do known.update({relation: facts}) -%}
    {%- endif -%}
    {{ return(known[relation]) }}
{% endmacro %}
