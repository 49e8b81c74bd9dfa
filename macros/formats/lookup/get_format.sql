{#
  Returns the mapping of a message format after checking it.

  A mistake in a mapping is an error of `dbt parse` that names the format and the entry. A run reads
  each format once.

  Entries that every mapping has:
    fields (string): SQL struct fields of the parsed document, if the payload is JSON.
    read (string): SQL of the parsed struct, if the payload is not JSON. It replaces `fields`.
    recognized_by (dict[string, any]): `signature`, the fields that `auto` parses, and `condition`,
      the SQL that recognizes a message by them. Optional: `instead_of`, the formats that give way if
      they recognize the message, too. A message that two formats recognize is otherwise not read.
    required (dict[string, string]): a field of the document to SQL that must not be null.
    columns (dict[string, string]): each column of get_format_columns to its SQL.

  Optional entries:
    informational (list[string]): the objects and arrays of `fields` without which a message is still
      read, each as `fields` has it. One of another JSON type is null and rejects no message.
    variables (dict[string, string]): a name to SQL. The entries after it may use the name.
    rows (string): SQL of the rows of a message that has several, array of struct.
    frames (dict[string, string]): for messages with JSON inside binary frames or inside a text.
      `unpacked`, SQL of a struct of `text`, the JSON that `fields` describe, and `problem`, why it cannot
      be read; null for a message without frames. `condition`, the SQL by which `auto` sees the frames.
      Both read `key` and `value` as landed. Counting messages is fast if the condition reads `key` only.
    changes (string): SQL of the changes of a message that has several of any table, array of struct.
      The entries read one of them as `change`, which is null if the message has none.
    rejects (list[dict[string, string]]): `condition`, SQL, and `detail`, the text in quarantine.
    hidden_columns (string): SQL of the columns that are no part of a row, array<string>.
    ddl_targets (string): SQL of the tables that a DDL message names outside its statement,
      array<string>.
    snapshot_mark (string): SQL, 'start' or 'complete' for the marker of a source snapshot.
    paths (string): SQL of the paths into documents that a partial image has, from document_paths. The
      values at these paths are JSON texts.
    tombstone_key (string): SQL of the key in a tombstone, map<string, string>.
    encrypted (string): SQL that is true if the producer encrypted the row or the whole message.
    unknown_connector (string): SQL of the connector's name if the format does not read its messages,
      else null.
    reads_json (boolean): whether `read` parses JSON. If it is false, a payload that cannot be parsed is
      rejected as invalid_binary.
    unread_hint (string): a text that is appended to the reason if a payload cannot be read.
    unordered_lookalike (dict[string, string]): a format with messages of the same shape, whose position
      orders no changes: its `format` and `name`. The remedy of a falling sequence names it.
    topic_names_table (boolean): whether the name of a table is always that of its topic. Tables of two
      topics then differ without the setting source.
    lookalikes (list[string]): other formats whose rows `auto` reads as this format, because nothing in
      them shows the difference. `kafka-cdc inspect` then leaves the choice of the format to the user.
    orders_rows_only (string): 'true' if the position orders the changes of one row, and not those of
      different rows; or SQL of the changes for which it does so, by the column
      source_database_type. A falling sequence is then no finding.
    rows_are_changes (string): 'true' if the rows are `snapshot` events that change each other, because
      the format has no operations. A key on several partitions without an order then holds the table.
    deletes_first (string): 'true' if a position is that of a transaction, in which a row is deleted
      before it is written again; or SQL of the events whose deletion precedes other changes of the
      row at the same position, by the columns source_database_type and operation_code.
    otherwise (dict[string, string]): documents of another shape. It has their `fields` and
      `struct`, the SQL that converts them to the struct of the mapping's own `fields`.

  Arguments:
    slug (string): the format.

  Returns: dict[string, any], with every optional entry.
#}
{% macro get_format(slug) %}
    {%- if not execute -%}
        {{ return(kafka_cdc._read_format(slug)) }}
    {%- endif -%}
    {%- set known = kafka_cdc.get_package_memory().setdefault('formats', {}) -%}
    {%- if slug not in known -%}
        {%- do known.update({slug: kafka_cdc._read_format(slug)}) -%}
    {%- endif -%}
    {{ return(known[slug]) }}
{% endmacro %}

{# Returns the mapping of a format's macro with every optional entry. It raises an error if one is wrong. #}
{% macro _read_format(slug) %}
    {%- set macro_name = 'format_' ~ slug -%}
    {%- set is_of_package = slug in kafka_cdc.get_package_formats() -%}
    {%- set macro = kafka_cdc.get(macro_name) if is_of_package else context.get(macro_name) -%}
    {%- if not macro -%}
        {{ kafka_cdc.raise_error(
            'the format ' ~ slug ~ ' is listed but there is no macro ' ~ macro_name,
            'write the macro, or remove the format from the setting formats or from macros/formats/format_list.sql'
        ) }}
    {%- endif -%}

    {%- set format = macro() -%}
    {%- set needed = ['read' if 'read' in format else 'fields', 'recognized_by', 'required', 'columns'] -%}
    {%- set optional = {
        'read': none,
        'informational': [],
        'variables': {},
        'frames': none,
        'rows': none,
        'changes': none,
        'hidden_columns': none,
        'ddl_targets': none,
        'snapshot_mark': none,
        'paths': none,
        'tombstone_key': none,
        'rejects': [],
        'encrypted': none,
        'unknown_connector': none,
        'reads_json': false,
        'unread_hint': none,
        'unordered_lookalike': none,
        'topic_names_table': false,
        'lookalikes': [],
        'orders_rows_only': none,
        'rows_are_changes': none,
        'deletes_first': none,
        'otherwise': none,
    } -%}

    {%- for name in needed if name not in format -%}
        {{ kafka_cdc.raise_error(
            'format ' ~ slug ~ ' lacks the entry ' ~ name,
            'a format has ' ~ needed | join(', ')
        ) }}
    {%- endfor -%}
    {%- if 'read' in format and 'fields' in format -%}
        {{ kafka_cdc.raise_error(
            'format ' ~ slug ~ ' has both fields and read',
            'use fields if the payload is JSON, else read'
        ) }}
    {%- endif -%}
    {%- if 'frames' in format and (
        'fields' not in format
        or format.frames is not mapping
        or format.frames.keys() | sort != ['condition', 'unpacked']
    ) -%}
        {{ kafka_cdc.raise_error(
            'format ' ~ slug ~ ' has the entry frames in another form than documented',
            'write condition and unpacked in frames, and describe the JSON in fields'
        ) }}
    {%- endif -%}
    {%- if 'rows' in format and 'changes' in format -%}
        {{ kafka_cdc.raise_error(
            'format ' ~ slug ~ ' has both rows and changes',
            'use rows if all rows of a message have one table and operation, else changes'
        ) }}
    {%- endif -%}
    {%- for name in format if name not in needed and name not in optional -%}
        {{ kafka_cdc.raise_error(
            'format ' ~ slug ~ ' has the unknown entry ' ~ name,
            'valid entries are ' ~ (needed + optional.keys() | list) | join(', ')
        ) }}
    {%- endfor -%}

    {%- for field in format.informational or [] if field not in format.fields -%}
        {{ kafka_cdc.raise_error(
            'format ' ~ slug ~ ' has the informational field ' ~ field ~ ', which is not in its fields',
            'write the field with its type, as the entry fields has it'
        ) }}
    {%- endfor -%}

    {%- set columns = kafka_cdc.get_format_columns() -%}
    {%- for name in columns if name not in format.columns -%}
        {{ kafka_cdc.raise_error(
            'format ' ~ slug ~ ' lacks the column ' ~ name,
            "write 'null' if the format has nothing for it"
        ) }}
    {%- endfor -%}
    {%- for name in format.columns if name not in columns -%}
        {{ kafka_cdc.raise_error(
            'format ' ~ slug ~ ' has the column ' ~ name ~ ', which a format cannot set',
            'the columns of a format are ' ~ columns.keys() | join(', ')
        ) }}
    {%- endfor -%}

    {{ return(dict(optional, **format)) }}
{% endmacro %}
