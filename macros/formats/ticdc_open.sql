{#
  TiCDC, the change feed of TiDB, protocol open-protocol: binary frames with JSON.

  The format covers inserts, updates, deletes, DDL and resolved events.
  Document: TiDB v8.5, "TiCDC Open Protocol". The encoding of values comes from TiCDC's encoders
  (pingcap/tiflow and pingcap/ticdc, pkg/sink/codec/open).

    key:   8 bytes version, then for each event 8 bytes length and
           {"ts": 415508878783938562, "scm": "test", "tbl": "t1", "t": 1}
    value: for each event 8 bytes length and
           {"u": {"id": {"t": 3, "h": true, "f": 11, "v": 1}, "val": {"t": 15, "f": 64, "v": "bb"}},
            "p": {"id": {"t": 3, "h": true, "f": 11, "v": 1}, "val": {"t": 15, "f": 64, "v": "aa"}}}

  Quirks
  * A message contains several events of any tables. Each becomes an event of its own. `row_index`
    is its number in the message, from 0.
  * If one event cannot be read, the whole message is rejected with the reason of that event.
  * Damaged frames are rejected as `invalid_frame`: an unknown version, a length past the end, or
    other numbers of events in key and value.
  * Land the topic with `encoding: base64`. A key lands byte for byte. Keys and values may be bytes or
    base64.
  * `u` is the row after a change, `p` the row before an update, and `d` the deleted row, or its
    handle key alone (`delete-only-output-handle-key-columns`).
  * If `p` has fewer columns than `u` (`only-output-updated-columns`), it has what changed. A null
    there is no certain value, because newer versions write it for '' and 0, too. The row before then
    lacks the column.
  * A null in a key column of `p` may be an empty text or 0. The message is rejected, because its old
    row is not certain. Without a key in the message, this holds for each column.
  * An event of a row with the value {} changes nothing. TiCDC wrote it in 2021 for a row that a
    transaction inserts and deletes.
  * The key consists of the columns with `h`, or with 2 in their flags `f`.
  * `ts` is the time of the commit and orders changes. Its upper part is the time. The changes of a
    transaction share it. A transaction changes a row once, or it deletes and writes it, also on two
    partitions. Deletes come first, and so do old keys.
  * A DDL event is sent to every partition. A resolved event is a control event without a value.
  * A value with the flag 1 is binary. VARBINARY and BINARY have escapes such as \x89, which are
    decoded. TEXT and BLOB are base64. In rows, texts are text and bytes are base64.
  * Without the flags, texts and bytes cannot be distinguished. Such a message is rejected. The logs
    in the document are of a version that wrote no flags.
  * ENUM and SET are the number of their labels, and no message contains the labels. BIT is a number.
  * A row with `ohk` or `ccl` has only its handle key. Its other columns are unknown.
  * Delivery is at least once. A repeated `ts` is the same change again.
  * `auto` recognizes the format by the bytes of the key: version 1 and the length of an event.

  Limits
  * With `output-old-value = false` an update has no `p`, and it looks like an insert. It is read as
    one. Set `check_chains: off` then.
  * A TIMESTAMP has the time zone of the change feed, and no message names it.
  * Compressed values (`large-message-handle-compression`) are rejected as `invalid_json`.
  * A table without a primary key and without a unique key that is not null has no handle key: set
    `key`.
#}
{% macro format_ticdc_open() %}
    {%- set column = 'struct<t: string, h: string, f: string, v: string>' -%}
    {%- set columns = 'map<string, ' ~ column ~ '>' -%}
    {%- set event = 'struct<_sentinel: string, ts: string, scm: string, tbl: string, t: string, ohk: string, '
        ~ 'ccl: string, q: string, is_empty: string, u: ' ~ columns ~ ', p: ' ~ columns ~ ', d: ' ~ columns ~ '>' -%}

    {#- Events are keys and values in turn, between sentinels. Then no key can hide in a value. -#}
    {%- set changes -%}
    if(
        size(ticdc_open.ticdc_events) % 4 = 1
        and forall(
            filter(ticdc_open.ticdc_events, (part, at) -> at % 2 = 0),
            part -> coalesce(part._sentinel = ticdc_open.ticdc_sentinel, false)
        ),
        transform(
            filter(ticdc_open.ticdc_events, (part, at) -> at % 4 = 1),
            (event, at) -> struct(event as key, ticdc_open.ticdc_events[4 * at + 3] as value)
        ),
        null
    )
    {%- endset -%}

    {%- set images = 'array(change.value.u, change.value.p, change.value.d)' -%}
    {%- set is_row = "change.key.t = '1'" -%}
    {%- set is_empty = "coalesce(change.value.is_empty = 'true', false)" -%}
    {%- set has_only_key = "coalesce(change.key.ohk = 'true', false) or coalesce(change.key.ccl, '') <> ''" -%}
    {%- set is_text = "one.t in ('15', '249', '250', '251', '252', '253', '254')" -%}

    {#- The changed columns do not show whether null is the value before. -#}
    {%- set before_update -%}
    if(
        size(rows[1]) < size(rows[0]),
        map_concat(
            map_filter(rows[0], (name, text) -> not map_contains_key(rows[1], name)),
            map_filter(rows[1], (name, text) -> text is not null)
        ),
        rows[1]
    )
    {%- endset -%}

    {%- set is_key = "coalesce(one.h = 'true', false) or coalesce(try_cast(one.f as int) & 2, 0) <> 0" -%}
    {%- set uncertain_key -%}
    size(rows[1]) < size(rows[0])
    and exists(map_values(images[1]), one -> one.v is null and (lacks_key or {{ is_key }}))
    {%- endset -%}

    {%- set operation -%}
    case
        when change is null or {{ is_row }} and {{ is_empty }} then 'other'
        when {{ is_row }} and change.value.d is not null then 'delete'
        when {{ is_row }} and change.value.p is not null then 'update'
        when {{ is_row }} then 'insert'
        else {{ kafka_cdc.map_operation('change.key.t', {'2': 'ddl', '3': 'heartbeat'}) }}
    end
    {%- endset -%}

    {%- set source_sequence -%}
    if(change.key.t in ('1', '2'), {{ kafka_cdc.sequence_array(['change.key.ts']) }}, null)
    {%- endset -%}

    {%- set unreadable -%}
    exists(
        sequence(0, 2),
        at -> exists(map_entries(images[at]), entry -> entry.value.v is not null and rows[at][entry.key] is null)
    )
    {%- endset -%}

    {{ return({
        'fields': 'ticdc_sentinel string, ticdc_events array<' ~ event ~ '>',
        'frames': {
            'condition': kafka_cdc._ticdc_open_condition(),
            'unpacked': kafka_cdc.ticdc_open_text(),
        },
        'recognized_by': {
            'signature': {'ticdc_events': 'string'},
            'condition': 'signature.ticdc_events is not null',
        },
        'changes': changes,
        'variables': {
            'images': 'transform(' ~ images ~ ', image -> ' ~ kafka_cdc.dedupe_map_keys('image') ~ ')',
            'all_columns': 'flatten(array_compact(transform(images, image -> map_values(image))))',
            'rows': 'transform(images, image -> transform_values(image, (name, one) -> '
                ~ kafka_cdc.ticdc_open_value() ~ '))',
            'row_columns': 'coalesce(images[0], images[2])',
            'lacks_key': 'not exists(map_values(row_columns), one -> ' ~ is_key ~ ')',
        },
        'deletes_first': 'true',
        'required': {
            't': "if(change is null, '', change.key.t)",
            'ts': "if(change is null, '', change.key.ts)",
            'scm': 'if(' ~ is_row ~ ", change.key.scm, '')",
            'tbl': 'if(' ~ is_row ~ ", change.key.tbl, '')",
            'u': 'if(' ~ is_row ~ ' and row_columns is null and not ' ~ is_empty ~ ', null, true)',
            'u.t': 'if(exists(all_columns, one -> one.t is null), null, true)',
            'u.f': 'if(exists(all_columns, one -> ' ~ is_text ~ ' and one.v is not null '
                ~ 'and try_cast(one.f as int) is null), null, true)',
            'q': "if(change.key.t = '2', nullif(change.value.q, ''), '')",
        },
        'rejects': [
            {
                'condition': 'change is null',
                'detail': 'An event is not exactly one JSON object in the key and one in the value.',
            },
            {
                'condition': 'change.value.d is not null '
                    ~ 'and (change.value.u is not null or change.value.p is not null)',
                'detail': 'd is with u or p in one event.',
            },
            {
                'condition': "change.key.t in ('2', '3') and exists(images, image -> image is not null)",
                'detail': 'The event is no row and has columns.',
            },
            {
                'condition': uncertain_key,
                'detail': 'p has changed columns only, and null in a key column, which may be an empty text or 0.',
            },
            {
                'condition': unreadable,
                'detail': 'A value does not match the type and the flags of its column.',
            },
        ],
        'columns': {
            'source_name': 'null',
            'source_database_type': "'tidb'",
            'source_tenant': 'null',
            'source_database': "nullif(change.key.scm, '')",
            'source_schema': 'null',
            'source_table': "nullif(change.key.tbl, '')",
            'operation': operation,
            'operation_code': 'case when not ' ~ is_row ~ ' then change.key.t '
                ~ "when change.value.d is not null then 'd' when change.value.u is not null then 'u' "
                ~ 'else change.key.t end',
            'occurred_at': kafka_cdc.epoch_timestamp('nullif(shiftright(try_cast(change.key.ts as bigint), 18), 0)'),
            'emitted_at': 'null',
            'source_sequence': source_sequence,
            'key_columns': 'map_keys(map_filter(row_columns, (name, one) -> ' ~ is_key ~ '))',
            'before_row': 'if(change.value.d is not null, rows[2], ' ~ before_update ~ ')',
            'after_row': 'rows[0]',
            'image': 'if(' ~ has_only_key ~ ", 'key', 'full')",
            'removed_columns': 'null',
            'column_types': 'if(' ~ has_only_key ~ ', null, transform_values(row_columns, (name, one) -> '
                ~ kafka_cdc.ticdc_open_type() ~ '))',
            'ddl_text': "nullif(change.value.q, '')",
        },
    }) }}
{% endmacro %}

{# Prints a condition: the bytes of the key, or their base64, are version 1 and a length below 2^32. #}
{% macro _ticdc_open_condition() -%}
    (
        startswith(key, '\0\0\0\0\0\0\0\u0001\0\0\0\0')
        or startswith(key, 'AAAAAAAAAAEAAAAA')
    )
{%- endmacro %}
