{#
  Returns whether a typed table can be updated by key, and which landing batches are new for it.

  It cannot if an earlier batch was rewritten, came very late or is no longer withheld. It also cannot
  if the new events may change rows whose keys they do not contain. Such events are statements,
  snapshots that replace rows, updates in two events, and partial images that move a row. If most rows
  change, the table is written again as well, because that is faster.

  A replay writes the table again, too. A killed run may have merged a batch without a record of it, and
  the replayed batch may no longer have the keys of these rows.

  Arguments:
    known (dict[string, any]): what the last run read, from get_built_from.
    stream (dict[string, any]): the table, from find_published_table.
    built_from (dict[string, any]): what this run reads.
    published (dict[string, any]): from get_published_tables.
    relations (dict[string, relation]): the models that it reads.

  Returns: a mapping with change (nothing, keys or all). It has batches and profile if the new events
  can be read without the others.
#}
{% macro get_incremental_plan(known, stream, built_from, published, relations) %}
    {%- set found = kafka_cdc.get_known_and_new_batches(known, stream, published) -%}
    {%- if found.content != known.content
            or found.moves > 0
            or found.statements > 0
            or built_from.statements != known.statements and (
                kafka_cdc._get_known_statements(known, stream, published) != (known.statements or '0')
                or kafka_cdc._are_statements_on_table(published.stats, known, stream, relations.events)
            ) -%}
        {{ return({'change': 'all'}) }}
    {%- elif not found.new_batches -%}
        {{ return({'change': 'nothing', 'profile': known.profile}) }}
    {%- endif -%}

    {%- set new_profile = kafka_cdc.get_table_profile(
        relations.events,
        stream,
        published,
        together=kafka_cdc.get_modeled_tables(published, is_missing=false),
        batches=found.new_batches
    ) -%}
    {{ return({
        'change': 'all' if var('replay', none) is not none or kafka_cdc.has_many_changes(found.new_changes, this)
            else 'keys',
        'batches': found.new_batches,
        'is_in_order': kafka_cdc._are_decisive(
            known.profile,
            new_profile,
            stream,
            found.new_batches,
            published,
            relations
        ),
        'profile': kafka_cdc.merge_profiles(known.profile, new_profile),
    }) }}
{% endmacro %}

{# Returns the fingerprint of the known batches with statements, of the stream of a table. #}
{% macro _get_known_statements(known, stream, published) %}
    {%- set query -%}
        select {{ kafka_cdc.batches_fingerprint() }} as content
        from {{ published.stats }}
        where
            {{ kafka_cdc.known_batches_condition(known) | indent(12) }}
            and {{ kafka_cdc.statements_condition() }}
            and source_name = {{ kafka_cdc.sql_literal(stream.tables.source_name) }}
            and source_tenant = {{ kafka_cdc.sql_literal(stream.tables.source_tenant) }}
    {%- endset -%}
    {{ return(run_query(query).columns[0].values()[0]) }}
{% endmacro %}

{# Returns whether a statement in the new batches names a table, its database, or no table. #}
{% macro _are_statements_on_table(stats, known, stream, events) %}
    {%- set query -%}
        select distinct landing_batch
        from {{ stats }}
        where
            {{ kafka_cdc.statements_condition() }}
            and not {{ kafka_cdc.known_batches_condition(known) | indent(12) }}
    {%- endset -%}
    {%- set batches = run_query(query).columns[0].values() | list -%}
    {%- set concerned = [] -%}
    {%- for shard in stream.shards -%}
        {%- set own, named = [], [] -%}
        {%- for name in ['source_database', 'source_schema', 'source_table'] -%}
            {%- set in_parts = "in ('', " ~ kafka_cdc.sql_literal(shard.tables[name]) ~ ')' -%}
            {%- do own.append(name ~ ' ' ~ in_parts) -%}
            {%- do named.append('coalesce(named.' ~ name | replace('source_', '') ~ ", '') " ~ in_parts) -%}
        {%- endfor -%}
        {%- do concerned.append(
            '(' ~ own | join(' and ') ~ ' or exists(ddl_tables, named -> ' ~ named | join(' and ') ~ '))'
        ) -%}
    {%- endfor -%}
    {%- set query -%}
        select count(*)
        from {{ kafka_cdc.published_relation(events) }}
        where
            {{ kafka_cdc.in_batches_condition(batches) }}
            and (
                event_kind in ('ddl', 'other')
                or operation = 'truncate'
            )
            and source_name = {{ kafka_cdc.sql_literal(stream.tables.source_name) }}
            and source_tenant = {{ kafka_cdc.sql_literal(stream.tables.source_tenant) }}
            and ({{ concerned | join(' or ') }})
    {%- endset -%}
    {{ return(run_query(query).columns[0].values()[0] > 0) }}
{% endmacro %}

{#
  Returns whether the new changes alone decide the rows of their keys.

  Then each has a whole image, the last one of each row follows all its known changes, and nothing
  empties tables.

  Changes that follow all known ones of the table need no query. Offsets of other partitions tell
  nothing about a row, so that the changes of each row are compared.
#}
{% macro _are_decisive(known, new, stream, new_batches, published, relations) %}
    {%- set facts = kafka_cdc.get_stream_facts(relations.batch_stats, is_published=true) -%}
    {%- if stream.order_by not in ['sequence', 'offset']
            or stream.is_sharded
            or kafka_cdc.get_sequence_resets()
            or kafka_cdc.has_table_setting('on_snapshot', ['replace'])
            or facts.truncates + facts.drops > 0
            or new.partial_images > 0 -%}
        {{ return(false) }}
    {%- elif new.first_position > known.last_position -%}
        {{ return(true) }}
    {%- endif -%}

    {%- set merged = kafka_cdc.get_versioned_relation(relations.merged_rows, is_published=true) -%}
    {%- set coverage = kafka_cdc.get_merge_coverage(relations.events, merged, published.holds, is_published=true) -%}
    {%- set of_stream = kafka_cdc.stream_condition(stream) -%}
    {%- set of_table -%}
        event_kind = 'change'
        and row_key is not null
        and not {{ kafka_cdc.withheld_condition(published.holds) | indent(8) }}
        and {{ of_stream | indent(8) }}
    {%- endset -%}
    {%- set query -%}
        with {{ kafka_cdc.earlier_events_cte(
            kafka_cdc.published_relation(relations.events),
            kafka_cdc.published_relation(relations.merged_rows),
            coverage
        ) }},
        {%- for name, relation, condition in [
            (
                'new_rows',
                kafka_cdc.published_relation(relations.events),
                of_table ~ ' and ' ~ kafka_cdc.in_batches_condition(new_batches),
            ),
            ('known_rows', 'earlier_events', of_table),
        ] %}
        {{ name }} as (
            with changes as (
                {{ kafka_cdc.select_ordered_events(relation, condition) | indent(16) }}
            ),

            {{ kafka_cdc.row_effects_cte('changes', dict.fromkeys(facts, 0)) | indent(12) }}

            select
                row_key,
                max(sort_key) as last_change
            from row_effects
            {%- if name == 'known_rows' %}
            left semi join new_rows using (row_key)
            {%- endif %}
            group by row_key
        ){{ ',' if not loop.last }}
        {%- endfor %}

        -- known_rows has the new changes, too
        select count(*)
        from new_rows
        inner join known_rows using (row_key)
        where known_rows.last_change > new_rows.last_change
    {%- endset -%}
    {{ return(run_query(query).columns[0].values()[0] == 0) }}
{% endmacro %}
