{#
  Returns what the published statistics contain about the landing batches of a table.

  A typed table has read the known batches, and not yet the new ones.

  Tables that have read the same batches are asked about in one query.

  Arguments:
    known (dict[string, any]): what the last run read, from get_built_from.
    stream (dict[string, any]): the table, from find_published_table.
    published (dict[string, any]): from get_published_tables.

  Returns: a mapping:
    * content: the fingerprint of the known batches.
    * new_batches: a sorted list of the others.
    * moves: how many changes of all batches may move a row whose key they do not contain.
    * new_changes: the number of changes in new batches.
    * statements: how many statements the new batches contain.
#}
{% macro get_known_and_new_batches(known, stream, published) %}
    {%- set is_known = kafka_cdc.known_batches_condition(known) -%}
    {%- set memory = kafka_cdc.get_run_memory().setdefault('known_and_new_batches', {}) -%}
    {%- set tables = [] if stream.is_sharded else kafka_cdc.get_table_columns() -%}
    {%- set of_shards = kafka_cdc.stream_condition(stream) if stream.is_sharded else 'true' -%}
    {%- set question = published.stats ~ tojson(published.holds) ~ is_known ~ of_shards -%}
    {%- if question not in memory -%}
        {%- set query -%}
            select
                to_json(struct({{ tables | sort | join(', ') }})) as table_parts,
                {{ kafka_cdc.batches_fingerprint('is_known and changes + truncates > 0') | indent(16) }} as content,
                array_join(
                    array_sort(collect_set(landing_batch) filter (where not is_known)), ','
                ) as new_batches,
                coalesce(sum(before_events + partial_moves), 0) as moves,
                coalesce(sum(changes) filter (where not is_known), 0) as new_changes,
                coalesce(
                    sum(truncates + ddl_messages + silent_statements) filter (where not is_known), 0
                ) as statements
            from (
                select
                    *,
                    {{ is_known | indent(20) }} as is_known
                from {{ published.stats }}
            ) as batches
            where
                {{ of_shards }}
                and not {{ kafka_cdc.withheld_condition(published.holds) | indent(16) }}
            {%- if tables %}
            group by {{ tables | join(', ') }}
            {%- endif %}
        {%- endset -%}
        {%- set found = {} -%}
        {%- for row in run_query(query).rows -%}
            {%- do found.update({tojson(fromjson(row.table_parts), sort_keys=true): {
                'content': row.content,
                'new_batches': row.new_batches.split(',') | select | map('int') | list,
                'moves': row.moves | int,
                'new_changes': row.new_changes | int,
                'statements': row.statements | int,
            }}) -%}
        {%- endfor -%}
        {%- do memory.update({question: found}) -%}
    {%- endif -%}

    {%- set none_left = {'content': '0', 'new_batches': [], 'moves': 0, 'new_changes': 0, 'statements': 0} -%}
    {%- set identity = tojson({} if stream.is_sharded else stream.tables, sort_keys=true) -%}
    {{ return(memory[question].get(identity, none_left)) }}
{% endmacro %}
