{#
  Returns the columns of a stream (get_table_stream), key columns first, then in the order of its rows, as mappings: name, typed_name (in
  the model), macro, arguments and spark_type (get_decoder), is_key, source_type (none where nothing says it), remark (why it is text).
#}
{% macro get_typed_columns(stream) %}
    {%- set source_types, names = kafka_cdc.get_source_types(), ['row_values', 'undecoded'] -%}
    {%- set columns = {'key': [], 'other': []} -%}
    {%- set configured = stream.column_types or {} -%}
    {%- for row in run_query(kafka_cdc._stream_columns(stream)).rows -%}
        {%- set types = [] -%}
        {%- for said in (fromjson(row.types or '[]') if row.name not in configured else []) %}{% do types.append(said) %}{% endfor -%}
        {%- for said in (stream.formats if not types else []) -%}
            {%- do types.append(dict(said, type=configured.get(row.name), value_types=fromjson(row.value_types or '[]'))) -%}
        {%- endfor -%}
        {%- set column = dict(kafka_cdc.get_column_decoder(source_types, stream, row.name, types), name=row.name, is_key=row.name in stream.key) -%}
        {#- Kafka Connect's decimals are base64 or numbers, for a whole column: digits alone can be either, a text that is no base64 tells. -#}
        {%- if column.macro == 'decode_base64_decimal' and row.has_numbers %}{% do column.update({'macro': 'decode_decimal', 'arguments': column.arguments[:2]}) %}{% endif -%}
        {%- do column.update({'typed_name': kafka_cdc._free_name(row.name, names)}) -%}
        {%- do columns['key' if column.is_key else 'other'].append(column) -%}
    {%- endfor -%}
    {%- for name in configured if name not in (columns.key + columns.other) | map(attribute='name') -%}
        {{ kafka_cdc.raise_error('the setting tables says the type of the column ' ~ name ~ ', which ' ~ stream.path ~ ' does not have',
                'it has ' ~ (columns.key + columns.other) | map(attribute='name') | join(', ')) }}
    {%- endfor -%}
    {{ return(columns.key + columns.other) }}
{% endmacro %}

{# Returns a column's name in one line and without Spark's ${, with _ behind it where another has it: Spark does not tell A from a. #}
{% macro _free_name(name, names) %}
    {%- set free = namespace(name=modules.re.sub('[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff]+|[$](?=[{])', '_', name) or 'unnamed') -%}
    {%- for again in names if free.name | lower in names %}{% set free.name = free.name ~ '_' %}{% endfor -%}
    {%- do names.append(free.name | lower) -%}
    {{ return(free.name) }}
{% endmacro %}

{# Prints the query for a stream's columns: the types that its events said, the last one last, and those of its values. #}
{% macro _stream_columns(stream) %}
    with changes as (
        select *, struct(topic_incarnation, kafka_offset, row_index) as place
        from {{ ref('events') }}
        where event_kind in ('change', 'ddl')
        {%- for part, text in stream.tables.items() %} and {{ part }} = {{ kafka_cdc.sql_literal(text) | trim }}{% endfor %}
    ),

    said_types as (
        select name, source_format, source_database_type, type, max(place) as place
        from changes lateral view explode(column_types) as name, type
        group by name, source_format, source_database_type, type
    ),

    types as (
        select name, to_json(transform(array_sort(collect_list(struct(place, source_format, source_database_type, type))),
            said -> struct(said.source_format, said.source_database_type, said.type))) as types
        from said_types group by name
    ),

    texts as (
        select name, max(position) as position, max(text rlike '[.-]' or text rlike '^[0-9]+$' and length(text) % 4 > 0) as has_numbers,
            to_json(array_sort(collect_set({{ kafka_cdc.extended_json_type('text') }}))) as value_types
        from changes lateral view posexplode(coalesce(after_row, before_row)) as position, name, text
        group by name
    )

    select name, types, value_types, has_numbers from texts left join types using (name) order by position, name
{% endmacro %}
