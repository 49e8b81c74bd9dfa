"""Random histories in events: rows that were merged before, united with waiting changes, are what the definition gives.

The queries run on temporary views, so that hundreds of tables with their own histories cost a few queries. Every event has a random
landing batch: late, repeated and in any order. Of each table some changes are whole images, partial images, deletes, changes of
the key, TRUNCATEs and DROPs.
"""

import json
import os
import random

import pytest

SEED = int(os.environ.get("KAFKA_CDC_SEED", "20261128"))
TABLES, EVENTS, BATCHES = (2000 if os.environ.get("KAFKA_CDC_LONG") else 200), 14, 4
FACTS = "{'truncates': 1, 'drops': 1, 'path_updates': 1, 'before_events': 0, 'partial_moves': 0, 'renames': 0, 'tombstones': 0}"
TEMPLATE = """
{%- set facts = FACTS -%}
{%- set merged_columns = kafka_cdc.get_merged_row_columns() -%}
{{ tojson({
    'columns': kafka_cdc.get_event_columns(),
    'definition': kafka_cdc.select_current_rows('events_so_far', 'stats_so_far', facts, []),
    'fingerprints': kafka_cdc.select_reset_fingerprints(
        kafka_cdc.merged_resets_ctes('events_so_far', 'stats_so_far', [1, 2, 3, 4])
    ),
    'first': 'with ' ~ kafka_cdc.merging_ctes(
        changes='waiting',
        merged=none,
        facts=facts,
        table_resets=kafka_cdc.merged_resets_ctes('events_so_far', 'stats_so_far', [1, 2, 3, 4]),
        reset_tables=[],
        has_few_keys=false
    ) ~ ' select ' ~ merged_columns.keys() | join(', ') ~ ' from finished_rows',
    'next': 'with ' ~ kafka_cdc.merging_ctes(
        changes='waiting',
        merged='merged',
        facts=facts,
        table_resets=kafka_cdc.merged_resets_ctes('events_so_far', 'stats_so_far', [1, 2, 3, 4]),
        reset_tables=[{
            'source_name': 'RESET',
            'source_tenant': '',
            'source_database': '',
            'source_schema': '',
            'source_table': '',
        }],
        has_few_keys=true
    ) ~ ' select ' ~ merged_columns.keys() | join(', ') ~ ' from untouched_rows'
      ~ ' union all select ' ~ merged_columns.keys() | join(', ') ~ ' from finished_rows',
}) }}""".replace("FACTS", FACTS)
NAMES = "source_name, source_tenant, source_database, source_schema, source_table"
STATISTICS = f"""
    select {NAMES}, kafka_topic, kafka_partition, landing_batch, count(*) as changes,
        count(source_sequence) as sequenced_changes,
        count_if(source_sequence is null and operation <> 'snapshot') as unsequenced_changes
    from events_so_far
    where event_kind = 'change' and operation <> 'truncate'
    group by all"""
ROW = f"""to_json(struct({NAMES}, row_key, array_sort(map_entries(row_values)) as row_values,
    array_sort(map_entries(column_types)) as column_types, last_operation, occurred_at, sequence_generation, source_sequence,
    kafka_topic, kafka_partition, kafka_offset, row_index, incomplete_columns, IS_DELETED as is_deleted))"""


def image(chance, key, columns):
    values = {name: chance.choice([None, f"{chance.randrange(100)}"]) for name in columns}
    return {"id": key, **values, **({"doc": '{"x":"1","y":"2"}'} if columns == "abc" else {})}


def change(chance, is_sequenced):
    """Return a random change: the columns of its event in which it differs from others."""
    key, columns = chance.choice("123"), chance.sample("abc", chance.randrange(4))
    kind = chance.choices(
        ["full", "partial", "key", "delete", "move", "snapshot", "truncate", "drop"],
        [5, 8, 1, 2, 1, 1, 0.4, 0.2],
    )[0]
    event = {"event_kind": "change", "operation": "update", "row_key": key}
    if kind in ("full", "move", "snapshot"):
        event |= {"after_row": image(chance, key, "abc"), "image": "full"}
        event["operation"] = {"full": chance.choice(["insert", "update"]), "move": "update"}.get(
            kind, kind
        )
    if kind == "move":
        event["previous_row_key"] = chance.choice([other for other in "123" if other != key])
    if kind == "partial":
        event |= {"after_row": image(chance, key, columns), "image": "partial"}
        event["removed_columns"] = chance.choice([None, None, ["a"], ["b", "c"]])
        event["before_row"] = chance.choice([None, None, image(chance, key, "ab")])
        if chance.random() < 0.3:
            event["after_row"]["doc.x"] = f'"{chance.randrange(100)}"'
            event["paths"] = [("doc.x", ["doc", "x"], None)]
    if kind == "key":
        event |= {"after_row": {"id": key}, "image": "key"}
    if kind == "delete":
        event["operation"] = "delete"
    if kind == "truncate":
        event |= {"operation": "truncate", "row_key": None}
    if kind == "drop":
        event |= {"event_kind": "ddl", "operation": "drop", "row_key": None}
    if chance.random() < 0.3 and kind not in ("truncate", "drop"):
        event["column_types"] = {
            name: chance.choice(["int", "text"]) for name in chance.sample("abc", 2)
        }
    if is_sequenced:
        event["source_sequence"] = [chance.randrange(12), chance.randrange(2)]
    return event


def history(chance, number):
    """Return the events of a table in the order of its topic. Some come twice, and each is in a random batch."""
    is_sequenced, partitions = chance.random() < 0.8, chance.choice([1, 1, 2])
    changes = [change(chance, is_sequenced) for _ in range(chance.randrange(2, EVENTS))]
    changes += [dict(one) for one in changes if is_sequenced and chance.random() < 0.2]
    return [
        {
            "kafka_topic": f"topic_{number}",
            "topic_incarnation": 0,
            "kafka_partition": chance.randrange(partitions),
            "kafka_offset": offset,
            "row_index": 0,
            "landing_batch": chance.randrange(1, BATCHES + 1),
            "source_format": "canal",
            "source_name": f"source_{number}",
            "source_tenant": "",
            "source_database": "d",
            "source_schema": "",
            "source_table": "t",
            **one,
        }
        for offset, one in enumerate(changes)
    ]


@pytest.fixture(scope="module")
def queries(project):
    built = project("merging")
    compiled = built.dbt("compile", "--inline", TEMPLATE)
    return built.spark, json.loads(compiled.result.results[0].node.compiled_code)


@pytest.fixture(scope="module")
def events(queries):
    spark, texts = queries
    chance = random.Random(SEED)
    columns = texts["columns"]
    rows = [
        tuple(event.get(column) for column in columns)
        for number in range(TABLES)
        for event in history(chance, number)
    ]
    schema = ", ".join(f"{column} {kind}" for column, kind in columns.items())
    return stored(spark, spark.createDataFrame(rows, schema))


def stored(spark, frame):
    """Return the rows of a query as a frame of their own, so that later views do not change them."""
    return spark.createDataFrame(frame.collect(), frame.schema)


def set_views(queries, events, so_far, waiting):
    """Set the events of landing batches that a query sees, and those that wait."""
    spark, texts = queries
    events.where(events.landing_batch.isin(so_far)).createOrReplaceTempView("events_so_far")
    events.where(events.landing_batch.isin(waiting)).createOrReplaceTempView("waiting")
    stored(spark, spark.sql(STATISTICS)).createOrReplaceTempView("stats_so_far")
    return spark, texts


def merged(queries, events, so_far, waiting, known=None):
    """Return the merged rows, and the fingerprints of the resets as of this merge."""
    spark, texts = set_views(queries, events, so_far, waiting)
    fingerprints = {row[0]: row[-1] for row in spark.sql(texts["fingerprints"]).collect()}
    if known is None:
        return stored(spark, spark.sql(texts["first"])), fingerprints
    rows, earlier = known
    rows.createOrReplaceTempView("merged")
    changed = {
        name
        for name in fingerprints.keys() | earlier.keys()
        if fingerprints.get(name) != earlier.get(name)
    }
    reset = "false"
    if changed:
        reset = "source_name in ({})".format(", ".join(f"'{name}'" for name in sorted(changed)))
    condition = "source_name = 'RESET' and source_tenant = '' and source_database = '' and source_schema = '' and source_table = ''"
    assert texts["next"].count(condition) == 1
    return stored(spark, spark.sql(texts["next"].replace(condition, reset))), fingerprints


def assert_defined(queries, rows, where):
    """Fail if rows are not what the definition gives for the events so far."""
    spark, texts = queries
    rows.createOrReplaceTempView("found")
    found = spark.sql(f"select {ROW.replace('IS_DELETED', '''row_kind = 'deleted' ''')} from found")
    defined = spark.sql(
        f"select {ROW.replace('IS_DELETED', 'is_deleted')} from ({texts['definition']})"
    )
    found, defined = ({row[0] for row in frame.collect()} for frame in (found, defined))
    assert found and not found ^ defined, (
        f"{where}, KAFKA_CDC_SEED={SEED}",
        sorted(found - defined)[:3],
        sorted(defined - found)[:3],
    )


def test_rows_merged_in_any_batches_are_defined_rows(queries, events):
    first = merged(queries, events, [1], [1])
    assert_defined(queries, first[0], "one merge")
    second = merged(queries, events, [1, 2], [2], first)
    assert_defined(queries, second[0], "a second merge")
    waiting = merged(queries, events, [1, 2, 3, 4], [3, 4], second)
    assert_defined(queries, waiting[0], "waiting changes")
    repeated = merged(queries, events, [1, 2, 3, 4], [2, 3, 4], second)
    assert_defined(queries, repeated[0], "changes that are merged already")
    again = merged(queries, events, [1, 2, 3, 4], [], waiting)
    assert_defined(queries, again[0], "nothing waits")
