{#
  Returns the columns of a stream, key columns first, then in the order of its rows.

  Arguments:
    stream (dict[string, any]): the stream, see get_table_stream.
    profiles (optional[list[dict[string, any]]]): its columns, each with name, types, value_types
      and has_numbers, in the order of its rows. By default they come from events.
    reserved_names (list[string]): names that no typed column may have.
    known_columns (list[dict[string, any]]): the columns of the table, whose names stay.

  Returns: a list of dictionaries:
    * name: the column's name in the source.
    * typed_name: its name in the typed model.
    * macro, arguments, spark_type: see get_decoder.
    * is_key: whether it is a key column.
    * source_type: none if it is not known.
    * remark: why the column is text.
    * is_ambiguous: see get_column_decoder.
#}
{% macro get_typed_columns(
    stream,
    profiles=none,
    reserved_names=['row_values', 'undecoded', 'source_column', 'source_text'],
    known_columns=[]
) %}
    {%- set source_types = kafka_cdc.get_source_types() -%}
    {%- set configured = stream.column_types or {} -%}
    {%- set used_names = reserved_names | list -%}
    {%- set known_names = {} -%}
    {%- for column in known_columns if kafka_cdc._get_safe_name(column.typed_name) == column.typed_name -%}
        {%- if column.typed_name | lower not in used_names -%}
            {%- do used_names.append(column.typed_name | lower) -%}
            {%- do known_names.setdefault(column.name, column.typed_name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set key_columns = [] -%}
    {%- set other_columns = [] -%}

    {%- if profiles is none -%}
        {%- set profiles = [] -%}
        {%- set of_table = kafka_cdc.table_condition(stream.tables) -%}
        {%- for row in run_query(kafka_cdc.select_column_profiles(ref('kafka_cdc', 'events'), of_table)).rows -%}
            {%- do profiles.append({
                'name': row.name,
                'types': fromjson(row.types or '[]'),
                'value_types': fromjson(row.value_types or '[]'),
                'has_numbers': row.has_numbers,
            }) -%}
        {%- endfor -%}
    {%- endif -%}

    {%- for row in profiles -%}
        {#- The setting tables overrides the types in the messages. -#}
        {%- set types = [] -%}
        {%- if row.name not in configured -%}
            {%- do types.extend(row.types) -%}
        {%- endif -%}
        {%- set formats = [] if types else stream.formats -%}
        {%- for format in formats -%}
            {%- do types.append(dict(
                format,
                type=configured.get(row.name),
                value_types=row.value_types
            )) -%}
        {%- endfor -%}

        {%- set column = dict(
            kafka_cdc.get_column_decoder(source_types=source_types, stream=stream, name=row.name, types=types),
            name=row.name,
            typed_name=known_names.get(row.name) or kafka_cdc._get_free_name(row.name, used_names),
            is_key=row.name in stream.key
        ) -%}

        {#-
          Kafka Connect writes the decimals of a column as base64 or as numbers. Digits alone can be either.
          A text that is no base64 shows that the whole column has numbers.
        -#}
        {%- if column.macro == 'decode_base64_decimal' and row.has_numbers -%}
            {%- do column.update({'macro': 'decode_decimal', 'arguments': column.arguments[:2]}) -%}
        {%- endif -%}

        {#- The texts of a mask have none of the source's types. -#}
        {%- set masks = [] -%}
        {%- for shard in stream.shards or [stream] -%}
            {%- do masks.append(kafka_cdc.get_column_mask(shard.path, shard.tables.source_name, row.name)) -%}
        {%- endfor -%}
        {%- if 'hash' in masks or 'last4' in masks -%}
            {%- do column.update({
                'macro': 'decode_text',
                'arguments': [],
                'spark_type': 'string',
                'source_type': none,
                'remark': 'the setting tables masks it',
                'is_ambiguous': false,
                'is_masked': true,
            }) -%}
        {%- endif -%}

        {%- do (key_columns if column.is_key else other_columns).append(column) -%}
    {%- endfor -%}

    {%- set columns = key_columns + other_columns -%}
    {%- set names = columns | map(attribute='name') | list -%}
    {%- for name in configured
        if name not in names and kafka_cdc.get_column_mask(stream.path, stream.tables.source_name, name) != 'drop' -%}
        {{ kafka_cdc.raise_error(
            'the setting tables sets the type of the column ' ~ name ~ ', which ' ~ stream.path ~ ' does not have',
            'it has ' ~ names | join(', ')
        ) }}
    {%- endfor -%}

    {{ return(columns) }}
{% endmacro %}

{#
  Returns a column's name on one line and without Spark's ${. It ends with _ if another column has
  the name, because Spark does not distinguish A and a.
#}
{% macro _get_free_name(name, used_names) %}
    {%- set free = namespace(name=kafka_cdc._get_safe_name(name)) -%}
    {%- for used_name in used_names if free.name | lower in used_names -%}
        {%- set free.name = free.name ~ '_' -%}
    {%- endfor -%}

    {%- do used_names.append(free.name | lower) -%}
    {{ return(free.name) }}
{% endmacro %}

{# Returns a column's name without the characters that the table format does not allow. #}
{% macro _get_safe_name(name) %}
    {%- set unsafe = '[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ufeff]+|[$](?=[{])' -%}
    {%- if kafka_cdc.get_table_format() == 'delta' -%}
        {#- Delta allows none of these characters in a name. -#}
        {%- set unsafe = unsafe ~ '|[ ,;{}()=]' -%}
    {%- endif -%}
    {{ return(modules.re.sub(unsafe, '_', name) or 'unnamed') }}
{% endmacro %}
