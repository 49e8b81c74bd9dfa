{#
  Returns what published events tell about the columns of a source table.

  Arguments:
    events (relation): the model events.
    stream (dict[string, any]): the table, with `shards`.
    holds (list[dict[string, any]]): the held tables. Withheld events do not count.
    batches (optional[list[integer]]): the landing batches; none for all.

  Returns: a mapping that merge_profiles can merge:
    * formats: source_format and source_database_type of the changes.
    * first_position, last_position: of the changes in the order of the table, as comparable lists;
      empty if there is none.
    * partial_images: how many changes need the row before them.
    * key: the newest key columns, and key_position, the position of their message.
    * columns: name to a mapping with position in the row, types (each with the position of its
      newest message), value_types and has_numbers.
#}
{% macro get_table_profile(events, stream, holds, batches=none) %}
    {%- set of_table -%}
        {{ kafka_cdc.stream_condition(stream) }}
        and not {{ kafka_cdc.withheld_condition(holds) }}
        {%- if batches is not none %}
        and {{ kafka_cdc.in_batches_condition(batches) }}
        {%- endif %}
    {%- endset -%}
    {%- set published = kafka_cdc.published_relation(events) -%}
    {%- set sequence = 'source_sequence, ' if stream.order_by == 'sequence' else '' -%}
    {%- set position = 'struct(' ~ sequence ~ 'topic_incarnation, kafka_offset)' -%}
    {%- set stream_query -%}
        select
            to_json(
                array_sort(collect_set(struct(source_format, source_database_type))),
                map('ignoreNullFields', 'false')
            ) as formats,
            to_json(
                max_by(key_columns, struct(topic_incarnation, kafka_offset)) filter (where key_columns is not null)
            ) as key_columns,
            to_json(
                max(array(topic_incarnation, kafka_offset)) filter (where key_columns is not null)
            ) as key_position,
            to_json(min({{ position }}), map('ignoreNullFields', 'false')) as first_position,
            to_json(max({{ position }}), map('ignoreNullFields', 'false')) as last_position,
            count_if(
                not coalesce(
                    {{ kafka_cdc.whole_image_condition('previous_row_key') | indent(20) }},
                    false
                )
            ) as partial_images
        from {{ published }}
        where event_kind = 'change' and {{ of_table }}
    {%- endset -%}
    {%- set found = run_query(stream_query).rows[0] -%}

    {%- set columns = {} -%}
    {%- for row in run_query(kafka_cdc.select_column_profiles(published, of_table)).rows -%}
        {%- do columns.update({row.name: {
            'position': row.position | int,
            'types': fromjson(row.types or '[]'),
            'value_types': fromjson(row.value_types or '[]'),
            'has_numbers': row.has_numbers,
        }}) -%}
    {%- endfor -%}
    {{ return({
        'formats': fromjson(found.formats or '[]'),
        'key': fromjson(found.key_columns or '[]'),
        'key_position': fromjson(found.key_position or '[]'),
        'first_position': kafka_cdc._get_position(found.first_position),
        'last_position': kafka_cdc._get_position(found.last_position),
        'partial_images': found.partial_images | int,
        'columns': columns,
    }) }}
{% endmacro %}

{# Returns a position as a list: the sequence (empty if there is none, which sorts first), incarnation and offset. #}
{% macro _get_position(text) %}
    {%- set position = fromjson(text or '{}') -%}
    {%- if not position -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set sequence = [] -%}
    {%- for part in position.get('source_sequence') or [] -%}
        {#- Null is before every number. -#}
        {%- do sequence.append((-2) ** 65 if part is none else part) -%}
    {%- endfor -%}
    {{ return([sequence, position.topic_incarnation, position.kafka_offset]) }}
{% endmacro %}
