{#
  Returns what published events tell about the columns of a source table.

  It is asked once for several tables, and kept for the run.

  Arguments:
    events (relation): the model events.
    stream (dict[string, any]): the table, with `shards`.
    published (dict[string, any]): from get_published_tables. Withheld events do not count.
    together (list[dict[string, any]]): entries of published.tables that the run will ask for, too.
    batches (optional[list[integer]]): the landing batches; none for all.

  Returns: a mapping, see _get_table_profiles.
#}
{% macro get_table_profile(events, stream, published, together, batches=none) %}
    {%- set in_batches = kafka_cdc.in_batches_condition(batches) if batches is not none else 'true' -%}
    {%- set is_read = in_batches ~ ' and not ' ~ kafka_cdc.withheld_condition(published.holds) -%}
    {%- if stream.is_sharded -%}
        {%- set condition = kafka_cdc.stream_condition(stream) ~ ' and ' ~ is_read -%}
        {{ return(kafka_cdc._get_table_profiles(events, condition, [])['']) }}
    {%- endif -%}

    {%- set memory = kafka_cdc.get_run_memory().setdefault('table_profiles', {}) -%}
    {%- set known = memory.setdefault(published.stats ~ is_read, {}) -%}
    {%- set identity = tojson(stream.tables, sort_keys=true) -%}
    {%- if identity not in known -%}
        {%- set tables = together | map(attribute='tables') | list -%}
        {%- set tables = tables if stream.tables in tables else [stream.tables] -%}
        {%- set condition = kafka_cdc.tables_condition(tables) ~ ' and ' ~ is_read -%}
        {%- set profiles = kafka_cdc._get_table_profiles(events, condition, kafka_cdc.get_table_columns()) -%}
        {%- for table in tables -%}
            {%- set name = tojson(table, sort_keys=true) -%}
            {%- do known.update({name: profiles.get(name, profiles[''])}) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(known[identity]) }}
{% endmacro %}

{#
  Returns what published events tell about the columns of source tables.

  Arguments:
    events (relation): the model events.
    condition (string): a condition on an event.
    table_columns (list[string]): get_table_columns, or none of them if all events are of one table.

  Returns: a mapping from the table's columns and their values, as JSON with sorted keys, to a mapping
    that merge_profiles can merge. The entry '' is that of the only table, or of one without events.
    * formats: source_format and source_database_type of the changes.
    * first_position, last_position: of the changes in the order of the table, as comparable lists;
      empty if there is none.
    * partial_images: how many changes need the row before them.
    * key: the newest key columns, and key_position, the position of their message.
    * columns: name to a mapping with position in the row, types (each with the position of its
      newest message), value_types and has_numbers.
#}
{% macro _get_table_profiles(events, condition, table_columns) %}
    {%- set published = kafka_cdc.published_relation(events) -%}
    {#- A deletion that precedes the other changes at its position comes before all their offsets. -#}
    {%- set position -%}
    struct(
        if(order_by = 'sequence', source_sequence, null) as source_sequence,
        if(is_first, -1, topic_incarnation) as topic_incarnation,
        if(is_first, -1, kafka_offset) as kafka_offset
    )
    {%- endset -%}
    {%- set newest = kafka_cdc.profile_position() -%}
    {%- set changes_query -%}
        select
            {%- for column in table_columns %}
            {{ column }},
            {%- endfor %}
            to_json(
                array_sort(collect_set(struct(source_format, source_database_type))),
                map('ignoreNullFields', 'false')
            ) as formats,
            to_json(
                max_by(key_columns, {{ newest | indent(16) }}) filter (where key_columns is not null)
            ) as key_columns,
            to_json(
                max({{ newest | indent(16) }}) filter (where key_columns is not null),
                map('ignoreNullFields', 'false')
            ) as key_position,
            to_json(min({{ position | indent(12) }}), map('ignoreNullFields', 'false')) as first_position,
            to_json(max({{ position | indent(12) }}), map('ignoreNullFields', 'false')) as last_position,
            count_if(
                not coalesce(
                    {{ kafka_cdc.whole_image_condition('previous_row_key') | indent(20) }},
                    false
                )
            ) as partial_images
        from (
            select
                *,
                {{ kafka_cdc.table_setting('order_by', "'sequence'") | indent(16) }} as order_by,
                order_by = 'sequence'
                and source_sequence is not null
                and (operation = 'delete' or previous_row_key is not null)
                and {{ kafka_cdc.deletes_first_condition() | indent(16) }} as is_first
            from {{ published }}
            where
                event_kind = 'change'
                and {{ condition | indent(16) }}
        ) as changes
        {%- if table_columns %}
        group by {{ table_columns | join(', ') }}
        {%- endif %}
    {%- endset -%}

    {%- set profiles, formats = {'': kafka_cdc._get_profile({})}, [] -%}
    {%- for row in run_query(changes_query).rows -%}
        {%- set profile = kafka_cdc._get_profile(row.dict()) -%}
        {%- do profiles.update({kafka_cdc._get_table(row, table_columns): profile}) -%}
        {%- do formats.extend(profile.formats | map(attribute='source_format')) -%}
    {%- endfor -%}
    {%- set columns_query = kafka_cdc.select_column_profiles(published, condition, table_columns, formats) -%}
    {%- for row in run_query(columns_query).rows -%}
        {%- set name = kafka_cdc._get_table(row, table_columns) -%}
        {#- Schema changes have columns, too. -#}
        {%- set profile = profiles.setdefault(name, kafka_cdc._get_profile({})) -%}
        {%- set types = [] -%}
        {%- for type in fromjson(row.types or '[]') -%}
            {%- do types.append(dict(type, last_position=kafka_cdc._get_position(type.last_position))) -%}
        {%- endfor -%}
        {%- do profile.columns.update({row.name: {
            'position': row.position | int,
            'types': types,
            'value_types': fromjson(row.value_types or '[]'),
            'has_numbers': row.has_numbers,
        }}) -%}
    {%- endfor -%}
    {{ return(profiles) }}
{% endmacro %}

{# Returns the table of a row as JSON with sorted keys, or '' if all rows are of one table. #}
{% macro _get_table(row, table_columns) %}
    {%- set parts = {} -%}
    {%- for column in table_columns -%}
        {%- do parts.update({column: row[column]}) -%}
    {%- endfor -%}
    {{ return(tojson(parts, sort_keys=true) if parts else '') }}
{% endmacro %}

{# Returns the profile of a row of the query of changes, without columns. #}
{% macro _get_profile(found) %}
    {{ return({
        'formats': fromjson(found.formats or '[]'),
        'key': fromjson(found.key_columns or '[]'),
        'key_position': kafka_cdc._get_position(fromjson(found.key_position or '{}')),
        'first_position': kafka_cdc._get_position(fromjson(found.first_position or '{}')),
        'last_position': kafka_cdc._get_position(fromjson(found.last_position or '{}')),
        'partial_images': (found.partial_images or 0) | int,
        'columns': {},
    }) }}
{% endmacro %}

{#
  Returns a position as a list: the generation, the sequence (empty if there is none, which sorts
  first), and the other parts.
#}
{% macro _get_position(position) %}
    {%- if not position -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set sequence = [] -%}
    {%- for part in position.get('source_sequence') or [] -%}
        {#- Null is before every number. -#}
        {%- do sequence.append((-2) ** 65 if part is none else part) -%}
    {%- endfor -%}
    {{ return([
        position.get('sequence_generation', 0),
        sequence,
        position.topic_incarnation,
        position.kafka_offset,
        position.get('row_index', 0),
    ]) }}
{% endmacro %}
