{#
  Returns what a run has to write to a typed table, from the published events that are new for it.

  The table's property kafka_cdc.built_from has what the last run read. It contains when the last
  landing batch landed, the batches just before it, fingerprints of all, and the columns. A batch that
  was rewritten, or that came very late, changes a fingerprint. Then the whole table is written again.

  Arguments:
    request (dict[string, any]): see typed_table_query.
    relations (dict[string, relation]): the models that it reads.

  Returns: none if nothing is published yet, or a mapping:
    * request, stream, columns: what the query prints.
    * change: nothing, keys or all.
    * has_schema_changes, has_new_columns: whether the run changes columns, and whether any differs.
    * batches: the landing batches with new events of the table, if change is keys.
    * deletion_mark: if the new events alone decide their rows, the column of the query that marks
      deleted rows, else none.
    * built_from: the new value of the property.
#}
{% macro get_typed_table_plan(request, relations) %}
    {%- set published = kafka_cdc.get_published_tables(relations) -%}
    {%- if published is none -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set stream = kafka_cdc.find_published_table(
        published,
        relations.events,
        table=request.table,
        source=request.source,
        tenant=request.tenant
    ) -%}
    {%- set definition = kafka_cdc._get_definition(request, stream) -%}
    {%- set last_built = kafka_cdc.get_built_from(this) -%}
    {%- set is_same = last_built.definition == definition
        and last_built.decoders == kafka_cdc.get_decoder_fingerprint(last_built.columns or []) -%}
    {%- set known = last_built if is_same and not should_full_refresh() else {} -%}
    {%- set statements = published.statements.get(stream.tables.source_name ~ '/' ~ stream.tables.source_tenant, '') -%}
    {#- Two runs may write the same content. The id shows that they were two: see typed_table. -#}
    {%- set built_from = {
        'run': invocation_id,
        'definition': definition,
        'tables': stream.tables,
        'is_sharded': request.is_sharded,
        'shards': stream.shards | map(attribute='tables') | list,
        'last_batch': published.last_batch,
        'recent_from': published.recent_from,
        'recent_batches': published.recent_batches,
        'content': stream.content,
        'statements': statements,
        'everything': published.everything,
        'state': [stream.ordering, stream.hold],
    } -%}
    {%- if request.rows == 'soft' and stream.order_by == 'kafka_timestamp' -%}
        {{ kafka_cdc.raise_error(
            "deletes of " ~ this ~ " is soft, and Kafka's timestamp orders " ~ request.table,
            'use history_table, or deletes=' ~ "'hard'"
        ) }}
    {%- endif -%}

    {#- Renames, and what deletes rows without naming a table, may act on rows of any table. -#}
    {%- set has_renames = kafka_cdc._has_applied_renames(relations.batch_stats) -%}
    {%- if has_renames -%}
        {%- for shard in stream.shards -%}
            {%- do kafka_cdc.check_applied_renames(shard.path, shard.tables.source_name) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- if known.everything == published.everything and known.state == built_from.state -%}
        {%- set plan = {'change': 'nothing', 'profile': known.profile} -%}
    {%- elif 'recent_batches' not in known or has_renames or stream.is_by_topic or known.state != built_from.state -%}
        {%- set plan = {'change': 'all'} -%}
    {%- elif known.content == stream.content and known.statements == statements -%}
        {%- set plan = {'change': 'nothing', 'profile': known.profile} -%}
    {%- else -%}
        {%- set plan = kafka_cdc.get_incremental_plan(known, stream, built_from, published, relations) -%}
    {%- endif -%}

    {%- if plan.change != 'nothing' and flags.WHICH in ['run', 'build'] -%}
        {%- if kafka_cdc.get_run_memory().get('is_publication_incomplete') -%}
            {{ kafka_cdc.raise_error(
                'the last build ended before it had published everything',
                'run dbt build: it publishes, and then builds the typed models'
            ) }}
        {%- endif -%}
    {%- endif -%}
    {%- set is_same_table = last_built.tables == stream.tables and last_built.columns != [] -%}
    {%- if stream.is_erased and is_same_table -%}
        {%- do plan.update({'profile': last_built.profile}) -%}
    {%- elif 'profile' not in plan -%}
        {%- set together = kafka_cdc.get_modeled_tables(published, is_missing=true) -%}
        {%- do plan.update({'profile': kafka_cdc.get_table_profile(relations.events, stream, published, together)}) -%}
    {%- endif -%}
    {%- do built_from.update({'profile': plan.profile}) -%}
    {%- set applied = {'columns': [], 'changes': []} -%}
    {%- if plan.change == 'nothing' -%}
        {%- do applied.update({'columns': last_built.columns}) -%}
    {%- elif stream.is_erased -%}
        {#- No row is left that has the columns. -#}
        {%- do applied.update({'columns': last_built.columns if is_same_table else []}) -%}
    {%- else -%}
        {%- do applied.update({'columns': kafka_cdc.get_profile_columns(
            stream,
            plan.profile,
            kafka_cdc.get_added_columns(request),
            last_built.columns if is_same_table and not should_full_refresh() else []
        )}) -%}
        {%- if is_same_table -%}
            {%- set changed = kafka_cdc.apply_schema_policy(request, last_built.columns, applied.columns) -%}
            {%- do applied.update({'columns': changed.columns, 'changes': changed.changes}) -%}
        {%- endif -%}
    {%- endif -%}
    {%- set columns = applied.columns -%}
    {%- if plan.change == 'keys' and columns != last_built.columns -%}
        {%- do plan.update({'change': 'all'}) -%}
    {%- endif -%}
    {%- set earlier_changes = last_built.get('schema_changes', []) if is_same_table else [] -%}
    {%- do built_from.update({
        'columns': columns,
        'decoders': kafka_cdc.get_decoder_fingerprint(columns),
        'schema_changes': earlier_changes + applied.changes,
    }) -%}
    {%- do plan.update({
        'request': request,
        'stream': dict(stream, key=plan.profile.key),
        'columns': columns,
        'has_schema_changes': applied.changes | length > 0,
        'has_new_columns': columns != last_built.columns,
        'built_from': built_from,
        'holds': published.holds,
        'deletion_mark': kafka_cdc._get_deletion_mark(request, plan, columns),
    }) -%}
    {{ return(plan) }}
{% endmacro %}

{#
  Returns a fingerprint of what decides a typed table apart from its events.

  That is the request, the names of its source tables, settings, types, and the SQL of the state. A new
  version of the package may compute rows differently. The text of all but the request and the tables is
  made once per run.
#}
{% macro _get_definition(request, stream) %}
    {%- set memory = kafka_cdc.get_run_memory() -%}
    {%- if 'typed_table_settings' not in memory -%}
        {#- Facts and holds do not count: they leave out what the events do not need, or withhold events. -#}
        {%- set facts = kafka_cdc.get_facts(none).stream -%}
        {%- set settings = tojson([
            local_md5(
                kafka_cdc.select_current_rows('events', 'batch_stats', facts, [])
                ~ kafka_cdc.select_row_versions('events', 'batch_stats', facts, [])
            ),
            kafka_cdc.get_state_settings(),
            kafka_cdc.get_source_types(),
            kafka_cdc.get_table_format(),
        ]) -%}
        {%- do memory.update({'typed_table_settings': settings[1:]}) -%}
    {%- endif -%}
    {%- set tables = stream.shards | map(attribute='tables') | list if stream.is_sharded else stream.tables -%}
    {{ return(local_md5('[' ~ tojson(request) ~ ', ' ~ tojson(tables) ~ ', ' ~ memory.typed_table_settings)) }}
{% endmacro %}

{# Returns whether on_rename applies a rename. Rows then have another table name than their messages. #}
{% macro _has_applied_renames(batch_stats) %}
    {{ return(
        kafka_cdc.has_table_setting('on_rename', ['apply'])
        and kafka_cdc.get_stream_facts(batch_stats, is_published=true).renames > 0
    ) }}
{% endmacro %}

{#
  Returns the column that marks deleted rows in the query of a merge.

  No typed column has its name. It is none if the query has live rows only.
#}
{% macro _get_deletion_mark(request, plan, columns) %}
    {%- if plan.change != 'keys' or not plan.is_in_order or request.rows != 'hard' -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set names = columns | map(attribute='typed_name') | map('lower') | list -%}
    {%- set name = namespace(mark='is_deleted') -%}
    {%- for column in names if name.mark in names -%}
        {%- set name.mark = name.mark ~ '_' -%}
    {%- endfor -%}
    {{ return(name.mark) }}
{% endmacro %}
