{#
  A JSON envelope of your own, whose paths are in the settings.

  The format covers inserts, updates, deletes, snapshot rows, TRUNCATE and control messages.
  Document: the setting `envelope` of the topic. The example has this entry:

    topics:
      - topic: acme.orders
        format: custom
        envelope:
          operation: meta.op
          operations: {I: insert, U: update, D: delete}
          database: meta.db
          table: meta.table
          key: meta.key
          before: old
          after: row
          sequence: [meta.lsn]
          occurred_at: meta.at
          time_unit: ms

  A message of it is:

    {"meta": {"op": "U", "db": "shop", "table": "orders", "key": ["id"], "lsn": 18, "at": 1700000001000},
     "old": {"id": 1, "price": 4.50}, "row": {"id": 1, "price": 4.75}}

  Quirks
  * A path is the names of members with dots between them. Names are case-sensitive.
  * `operation`, `operations` and `after` must be set. `operations` maps each code to insert, update,
    delete, snapshot, truncate, heartbeat, transaction or other.
  * `table`, `database` and `schema` are paths of names. Without `table` the table has the topic's
    name.
  * `key` is the path of a list of column names. Without it set the `key` of the topic or table.
  * `after` and `before` are paths of rows. The row of a delete is `before`, else `after`.
  * A row may have metadata among its columns: `operation: _op` with `after: .`, which is the message
    itself, or `operation: row._op` with `after: row`. The members that other paths name are no
    columns.
  * `before_contains: changes` means that `before` has the changed columns only.
    `after_contains: changes` means that an update has them only.
  * `sequence` is a path or a list of paths of whole numbers, which are compared in turn. Without it
    the Kafka offset orders the changes.
  * `occurred_at` and `emitted_at` are times. `time_unit` is text, s, ms or us. Text without a zone
    needs the `timezone` of the topic.
  * `column_types` is the path of an object of column to type.
  * Every path but `operation`, `table` and `key` may be missing in a message.

  Limits
  * A message has one row. Its values and the metadata have paths of their own.
  * A member whose name contains a dot has no path.
  * A qualified name in one member, such as SCOTT.EMP, stays one name.
  * Without `before`, an update of the key leaves the row under the old key.
#}
{% macro format_custom() %}
    {%- for line in kafka_cdc.get_topic_settings() -%}
        {%- if (line.format == 'custom') != (line.envelope is not none) -%}
            {{ kafka_cdc.raise_setting_error(
                setting=kafka_cdc.get_entry_name('topics', line, loop.index) ~ '.envelope',
                value=line.envelope,
                valid='a mapping of paths, on lines with format: custom only',
                hint='docs/formats/index.md links to the page of the format custom, which begins with an example'
            ) }}
        {%- endif -%}
    {%- endfor -%}

    {%- set names = 'array<string>' -%}
    {%- set row = 'map<string, string>' -%}
    {%- set types = {
        'operation_code': 'string',
        'operation': 'string',
        'source_database': 'string',
        'source_schema': 'string',
        'source_table': 'string',
        'key_columns': names,
        'needs_key': 'boolean',
        'before_row': row,
        'after_row': row,
        'image': 'string',
        'source_sequence': 'array<bigint>',
        'occurred_at': 'timestamp',
        'emitted_at': 'timestamp',
        'column_types': row,
    } -%}
    {%- set fields = [] -%}
    {%- for name, type in types.items() -%}
        {%- do fields.append(name ~ ': ' ~ type) -%}
    {%- endfor -%}
    {%- set struct_type = 'struct<' ~ fields | join(', ') ~ '>' -%}

    {#- Each envelope is parsed by its own paths into the same struct. -#}
    {%- set read -%}
    case settings.entry
        {%- for line in kafka_cdc.get_topic_settings() %}
        {%- if line.envelope is not none %}
        when '{{ loop.index }}' then {{ kafka_cdc._custom_message(line.envelope, types) | indent(8) }}
        {%- endif %}
        {%- endfor %}
        when '' then cast(null as {{ struct_type }})
    end
    {%- endset -%}

    {%- set has_row = "custom.operation in ('insert', 'update', 'delete', 'snapshot')" -%}
    {{ return({
        'read': read,
        'reads_json': true,
        'recognized_by': {'signature': {}, 'condition': 'false'},
        'required': {
            'operation': 'custom.operation_code',
            'table': 'if(' ~ has_row ~ " or custom.operation = 'truncate', custom.source_table, '')",
            'key': 'if(' ~ has_row ~ ' and custom.needs_key, custom.key_columns, array())',
        },
        'topic_names_table': not kafka_cdc.get_topic_settings() | selectattr('envelope')
            | selectattr('envelope.table') | list,
        'columns': {
            'source_name': 'null',
            'source_database_type': 'null',
            'source_tenant': 'null',
            'source_database': 'custom.source_database',
            'source_schema': 'custom.source_schema',
            'source_table': 'custom.source_table',
            'operation': 'custom.operation',
            'operation_code': 'custom.operation_code',
            'occurred_at': 'custom.occurred_at',
            'emitted_at': 'custom.emitted_at',
            'source_sequence': 'custom.source_sequence',
            'key_columns': 'custom.key_columns',
            'before_row': 'custom.before_row',
            'after_row': 'custom.after_row',
            'image': 'custom.image',
            'removed_columns': 'null',
            'column_types': 'custom.column_types',
            'ddl_text': 'null',
        },
    }) }}
{% endmacro %}

{# Prints an expression: a message of one envelope as a struct of `types`, null if it cannot be parsed. #}
{% macro _custom_message(envelope, types) -%}
    {#- Types are informational. -#}
    {%- set essential_envelope = dict(envelope, column_types=none) -%}
    {%- set document = kafka_cdc.read_json_object(
        'guarded_value',
        'sentinel',
        fields=kafka_cdc.struct_fields(kafka_cdc.get_envelope_fields(envelope)),
        essential_fields=kafka_cdc.struct_fields(kafka_cdc.get_envelope_fields(essential_envelope))
    ) -%}
    {%- set metadata = kafka_cdc.get_envelope_metadata(envelope) -%}
    {%- set after_row = kafka_cdc._custom_row(envelope.after, metadata) -%}
    {%- set before_row = kafka_cdc._custom_row(envelope.before, metadata) -%}
    {%- set before_of_update = before_row -%}
    {%- if envelope.before and envelope.before_contains == 'changes' -%}
        {%- set before_of_update = kafka_cdc.reconstruct_before_row(after_row, before_row) -%}
    {%- endif -%}

    {%- set image -%}
    if(custom_operation = 'update', '{{ 'partial' if envelope.after_contains == 'changes' else 'full' }}', 'full')
    {%- endset -%}
    {%- set before_image -%}
    case custom_operation
        when 'delete' then coalesce({{ before_row }}, {{ after_row }})
        when 'update' then {{ before_of_update }}
    end
    {%- endset -%}

    {%- set sequence = [] -%}
    {%- for path in envelope.sequence -%}
        {%- do sequence.append(kafka_cdc._custom_value(path)) -%}
    {%- endfor -%}

    {%- set columns = {
        'operation_code': kafka_cdc._custom_value(envelope.operation),
        'operation': 'custom_operation',
        'source_database': kafka_cdc._custom_value(envelope.database),
        'source_schema': kafka_cdc._custom_value(envelope.schema),
        'source_table': kafka_cdc._custom_value(envelope.table) if envelope.table else 'kafka_topic',
        'key_columns': kafka_cdc._custom_value(envelope.key),
        'needs_key': 'true' if envelope.key else 'false',
        'before_row': before_image,
        'after_row': "if(custom_operation = 'delete', null, " ~ after_row ~ ')',
        'image': image,
        'source_sequence': kafka_cdc.sequence_array(sequence) if sequence else 'null',
        'occurred_at': kafka_cdc._custom_time(envelope.occurred_at, envelope.time_unit),
        'emitted_at': kafka_cdc._custom_time(envelope.emitted_at, envelope.time_unit),
        'column_types': kafka_cdc._custom_value(envelope.column_types),
    } -%}
    {%- set message -%}
    struct(
        {%- for name, type in types.items() %}
        cast({{ columns[name] }} as {{ type }}) as {{ name }}{{ ',' if not loop.last }}
        {%- endfor %}
    )
    {%- endset -%}

    {%- set lets = {
        'custom_document': document,
        'custom_operation': kafka_cdc.map_operation(kafka_cdc._custom_value(envelope.operation), envelope.operations),
    } -%}
    {%- for path, names in metadata.items() -%}
        {%- do lets.update({
            'custom_row_' ~ loop.index0: kafka_cdc._custom_columns(path, names),
        }) -%}
    {%- endfor -%}
    {{ kafka_cdc.sql_let(lets, 'if(custom_document is null, null, ' ~ message ~ ')') }}
{%- endmacro %}

{# Prints an expression: the value at a path of the message, null without a path. #}
{% macro _custom_value(path) -%}
    {{ 'custom_document.`' ~ path | replace('.', '`.`') ~ '`' if path else 'null' }}
{%- endmacro %}

{# Prints an expression: the row at a path of the message, null without a path. #}
{% macro _custom_row(path, metadata) -%}
    {{ 'custom_row_' ~ (metadata.keys() | list).index(path) if path in metadata else kafka_cdc._custom_value(path) }}
{%- endmacro %}

{# Prints an expression: the row at a path of the message, without the members that are no columns. #}
{% macro _custom_columns(path, names) -%}
    {%- set row_type = namespace(sql='map<string, string>') -%}
    {%- set parts = [] if path == '.' else path.split('.') -%}
    {%- for name in parts | reverse -%}
        {%- set row_type.sql = 'struct<`' ~ name ~ '`: ' ~ row_type.sql ~ '>' -%}
    {%- endfor -%}

    {%- set documents = "from_json(guarded_value, 'documents array<" ~ row_type.sql ~ ">', "
        ~ kafka_cdc.get_json_options() ~ ').documents' -%}
    {%- set row = 'get(' ~ documents ~ ', 1)' ~ ('.`' ~ parts | join('`.`') ~ '`' if parts else '') -%}
    if(
        custom_operation in ('insert', 'update', 'delete', 'snapshot'),
        map_filter({{ row }}, (name, text) -> not {{ kafka_cdc.in_values_condition('name', names) }}),
        null
    )
{%- endmacro %}

{# Prints an expression: the time at a path of the message, null without a path. #}
{% macro _custom_time(path, unit) -%}
    {%- if not path -%}
        null
    {%- elif unit in [none, 'text'] -%}
        {{ kafka_cdc.zoned_timestamp(kafka_cdc._custom_value(path)) }}
    {%- else -%}
        {{ kafka_cdc.epoch_timestamp(kafka_cdc._custom_value(path), unit) }}
    {%- endif -%}
{%- endmacro %}
