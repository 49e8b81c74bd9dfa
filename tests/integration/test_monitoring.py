"""Monitoring models of streams with a known story, and the tables that they hold back.

The expectations are written by hand. The streams of one project have different topics.
"""

import json
from datetime import datetime, timezone

import pytest

from conftest import failure, long
from kafka_cdc.errors import LandingError
from kafka_cdc.metrics import queries as metrics_queries
from kafka_cdc.report import queries
from kafka_cdc.tables import table_format

TOPICS = [
    {
        "topic": ["drs*", "shuffled", "tables", "ordered"],
        "format": "huawei_drs_json",
        "source": "drs",
    }
]


def change(sequence, key="1", table="t", kind="INSERT", at=None, **columns):
    """Return the value of a message of huawei_drs_json: a change of one row."""
    return json.dumps(
        {
            "mysqlType": {"id": "int", **{name: "varchar(9)" for name in columns}},
            "id": sequence,
            "es": at or 1624614713000 + sequence,
            "ts": 1625058726990,
            "database": "d",
            "table": table,
            "type": kind,
            "isDdl": False,
            "sql": "",
            "data": [{"id": key, **columns}],
            "old": None,
            "pkNames": ["id"],
        }
    )


def topic(name, changes, begin=0, **more):
    """Return messages of one partition, with offsets from a first one on."""
    return [
        {"topic": name, "offset": begin + at, "value": value, **more}
        for at, value in enumerate(changes)
    ]


def findings(result):
    """Return the statuses of the tests that warned or failed by the names of their macros."""
    return {
        r.node.test_metadata.name: r.status
        for r in result.result
        if r.node.resource_type == "test" and r.status not in ("pass", "skipped")
    }


def sentences(project, result):
    """Return what log_test_findings prints of a result."""
    queries = [
        r.node.compiled_code
        for r in result.result
        if r.node.resource_type == "test" and r.status in ("warn", "fail")
    ]
    return sorted(
        row["finding"]
        for query in queries
        for row in project.query(query.replace("{", "{{").replace("}", "}}"))
    )


# A vendor's sequence restarts ---------------------------------------------------------------------------------------------------

CHANGELOG = [
    "build",
    "--select",
    "events",
    "event_batch_stats",
    "outdated_topic_mappings",
    "gates",
    "intermediate",
    "changelog",
    "held_tables",
]


@pytest.fixture(scope="module")
def resets(project):
    """Streams, landed in four batches, the second of them last. In some the sequence falls."""
    resets = project("resets", topics=TOPICS)
    after = lambda sequence, **more: change(sequence, at=1624614714000 + sequence, **more)
    again = [change(7, "a"), change(8, "b"), change(9, "c")]
    first = [
        *topic("drs_steady", [change(n, str(n)) for n in range(5)]),
        *topic("drs_inside", [change(90), change(91), after(1), after(2)]),
        *topic("drs_across", [change(70), change(71)], begin=10),
        *topic("drs_across", [change(72, "7")], begin=30, partition=1),
        *topic("drs_again", again),
        *topic(
            "tables",
            [
                change(50, table="one"),
                change(3, table="two"),
                change(51, table="one"),
                change(4, table="two"),
            ],
        ),
        *topic("drs_snapshot", [change(40), change(2, "9", kind="INIT"), change(41)]),
        *topic(
            "drs_copied",
            [
                change(90),
                change(91, table="u"),
                change(90),
                change(1, "9", kind="INIT", table="u"),
                change(2, "9", kind="INIT"),
            ],
        ),
        *topic("drs_recreated", [change(30), change(31)]),
        *topic("shuffled", [change(5), change(6)], begin=2),
    ]
    late = topic("shuffled", [change(3), change(4)])
    third = [
        *topic("drs_steady", [change(n, str(n)) for n in range(5, 9)], begin=5),
        *topic("drs_across", [after(5)], begin=12),
        *topic("drs_again", [*again[1:], change(10, "d")], begin=3),
        *topic("drs_recreated", [after(1)], topic_incarnation=1),
        *topic("drs_copied", [after(3)], begin=5),
    ]
    fourth = [
        *topic("drs_across", [after(6)], begin=13),
        *topic("drs_again", [again[2], change(11, "e")], begin=6),
    ]
    for messages in (first, third, fourth, late):
        resets.land(messages)
    return resets


def holds(project):
    """Return the tables that are held with the check, its finding and its remedy."""
    return [
        tuple(row.values())
        for row in project.query(
            "select source_table, check_name, finding, remedy from {cdc}.table_holds order by all"
        )
    ]


def published_tables(project):
    """Return the source tables of changelog."""
    rows = project.query("select distinct source_table from {cdc}.changelog order by 1")
    return [row["source_table"] for row in rows]


@long
def test_a_falling_sequence_holds_its_table(resets):
    result = resets.dbt(*CHANGELOG)
    assert findings(result) == {"tables_are_not_held": "warn"}
    assert published_tables(resets) == ["one", "two", "u"]
    rows = resets.query(
        "select kafka_topic, kafka_offset, previous_offset, is_undecided, remedy from {cdc}.sequence_resets order by all"
    )
    assert [tuple(row.values()) for row in rows] == [
        (
            "drs_across",
            12,
            11,
            False,
            "sequence_resets: - {topic: drs_across, partition: 0, offset: 12}",
        ),
        (
            "drs_copied",
            5,
            0,
            True,
            "sequence_resets: - {topic: drs_copied, partition: 0, offset: 3}",
        ),
        (
            "drs_inside",
            2,
            1,
            False,
            "sequence_resets: - {topic: drs_inside, partition: 0, offset: 2}",
        ),
        (
            "drs_recreated",
            0,
            1,
            True,
            "sequence_resets: - {topic: drs_recreated, partition: 0, offset: 0, topic_incarnation: 1}",
        ),
    ]
    falls = {
        "drs_across": ([71], [5]),
        "drs_copied": ([90], [3]),
        "drs_inside": ([91], [1]),
        "drs_recreated": ([31], [1]),
    }
    late = "If this change is late, the hold ends with a higher change of the partition. "
    assert holds(resets) == [
        (
            "t",
            "falling_sequence",
            f"topic {row['kafka_topic']}, partition 0, offset {row['kafka_offset']}: the sequence of table d.t of source "
            f"drs falls from {falls[row['kafka_topic']][0]} to {falls[row['kafka_topic']][1]}",
            f"{late if row['is_undecided'] else ''}If it starts again, add to {row['remedy']}. "
            f"If topic {row['kafka_topic']} has messages of Canal, "
            "set format: canal for it in topics, "
            f"then run dbt build --vars '{{replay: [\"{row['kafka_topic']}\"]}}'",
        )
        for row in rows
    ]
    assert sentences(resets, result) == [
        f"table d.t of source drs is held, so that it is not published. Reason: {finding}. {remedy}"
        for _, _, finding, remedy in holds(resets)
    ]


@long
def test_configured_sequence_resets_leave_nothing_to_report(resets):
    sequence_resets = [
        {"topic": "drs_across", "partition": 0, "offset": 12},
        {"topic": "drs_inside", "partition": 0, "offset": 2},
        {"topic": "drs_copied", "partition": 0, "offset": 3},
        {"topic": "drs_recreated", "partition": 0, "offset": 0, "topic_incarnation": 1},
    ]
    resets.query("delete from {raw}.kafka_messages where topic = 'drs_again'")
    resets.query("delete from {cdc}.events where kafka_topic = 'drs_again'")
    resets.dbt("run", *CHANGELOG[1:6], sequence_resets=sequence_resets, check_in_run=True)
    assert holds(resets) == [
        (
            "t",
            "unequal_sequence_resets",
            "topic drs_across, partition 1 has 0 lines of sequence_resets and another of its partitions has 1",
            "Add the first offset of the new task in this partition, too (last offset so far: 30)",
        )
    ]
    sequence_resets.append({"topic": "drs_across", "partition": 1, "offset": 31})
    result = resets.dbt(*CHANGELOG, sequence_resets=sequence_resets)
    assert findings(result) == {} and holds(resets) == []
    assert published_tables(resets) == ["one", "t", "two", "u"]
    assert resets.query("select count(*) as resets from {cdc}.sequence_resets") == [{"resets": 0}]
    model = next(r.node for r in result.result if r.node.name == "sequence_resets")
    assert "where\n        false\n        and" in model.compiled_code


@long
def test_a_shuffled_arrival_is_no_sequence_reset(resets):
    """A batch with lower offsets landed last. Before, there was nothing to compare with."""
    assert resets.query("select 1 from {cdc}.sequence_resets where kafka_topic = 'shuffled'") == []
    assert resets.query(
        "select count(distinct landing_batch) as batches from {cdc}.event_batch_stats where kafka_topic = 'shuffled'"
    ) == [{"batches": 2}]


# What landed, and the columns of its tables -------------------------------------------------------------------------------------

VIEWS = [
    "run",
    "--select",
    "events",
    "event_batch_stats",
    "column_drift",
    "topic_freshness",
    "offset_gaps",
    "message_accounting",
]


@pytest.fixture(scope="module")
def story(project):
    """A table whose columns appear, disappear and change types. The later of two batches landed first, and offsets are missing."""
    story = project("story", topics=TOPICS)
    at = lambda n: datetime(2026, 11, 21, 12, 0, n, tzinfo=timezone.utc)
    micros = lambda n: int(at(n).timestamp() * 1000)
    typed = lambda value, **types: json.dumps(
        {**json.loads(value), "mysqlType": {"id": "int", **types}}
    )
    later = [
        (4, typed(change(4, at=micros(4), a="x", b="1"), a="text", b="int")),
        (7, typed(change(5, at=micros(5), b="1", c="1"), b="bigint", c="int")),
    ]
    earlier = [
        (0, typed(change(1, at=micros(1), a="x", b="1"), a="text", b="int")),
        (1, typed(change(2, at=micros(2), a="x", b="1"), a="text", b="int")),
    ]
    for messages in (later, earlier):
        story.land(
            [
                {"topic": "drs", "offset": offset, "value": value, "timestamp": at(10 + offset)}
                for offset, value in messages
            ],
            landed_at=at(20),
        )
    story.land([{"topic": "drs_poor", "offset": 0, "value": "no JSON"}], landed_at=at(30))
    story.dbt(*VIEWS)
    return story


def test_column_drift_lists_columns_by_time(story):
    rows = story.query(
        "select column_name, drift, old_type, new_type, second(happened_at) as second, kafka_offset from {cdc}.column_drift order by all"
    )
    assert [tuple(row.values()) for row in rows] == [
        ("a", "gone", "text", None, 4, 4),
        ("b", "retyped", "int", "bigint", 5, 7),
        ("c", "new", None, "int", 5, 7),
    ]


def test_topic_freshness_shows_how_far_a_topic_is(story):
    rows = story.query(
        "select kafka_topic, messages, rejected_messages, partitions, second(last_landed_at) as landed, seconds_to_kafka, seconds_to_lake from {cdc}.topic_freshness order by all"
    )
    assert [tuple(row.values()) for row in rows] == [
        ("drs", 4, 0, 1, 20, 12, 3),
        ("drs_poor", 1, 1, 1, 30, None, None),
    ]


def test_topics_that_are_not_as_expected_warn_or_fail_by_name(story):
    """The newest batch of drs landed 18 s after its change.

    One topic never landed, and one may be silent for years.
    """
    expect = lambda **limits: {"expect": limits}
    topics = [
        {**TOPICS[0], "topic": "drs", **expect(max_lag="17s", max_silence="1h", action="fail")},
        {"topic": "drs_poor", **expect(max_silence="99999d")},
        {"topic": ["never", "glob*"], **expect(max_silence="2d", max_lag="1m")},
        {"topic": "never", **expect(max_silence="3d")},
    ]
    result = story.invoke("build", "--select", "topic_expectations", topics=topics)
    statuses = [r.status for r in result.result if r.node.resource_type == "test"]
    assert sorted(statuses) == ["fail", "warn"] and not result.success
    rows = story.query(
        "select kafka_topic, lag_seconds, max_lag_seconds, max_silence_seconds, "
        "longest_gap_seconds, action from {cdc}.topic_expectations order by 1"
    )
    assert [tuple(row.values()) for row in rows] == [
        ("drs", 18, 17, 3600, None, "fail"),
        ("drs_poor", None, None, 99999 * 86400, None, "warn"),
        ("never", None, 60, 2 * 86400, None, "warn"),
    ]
    found = [finding for finding in sentences(story, result) if " rejected " not in finding]
    silent, late, never = found
    assert silent.startswith("topic drs: no message for ") and "max_silence is 1h. " in silent
    assert late.startswith("topic drs: the newest batch landed 18 seconds after the source changed")
    assert never.startswith("topic never: no message has landed, and expect.max_silence is 2d. ")


def test_source_freshness_is_judged_by_landings(story):
    """The last message landed on a fixed day, at second 30, so that it is too old today."""
    result = story.invoke("source", "freshness")
    [fresh] = [r for r in result.result.results if r.node.resource_type == "source"]
    assert fresh.max_loaded_at == datetime(2026, 11, 21, 12, 0, 30, tzinfo=timezone.utc)
    assert fresh.status == "warn" and fresh.age > 86400


def test_offset_gaps_counts_missing_offsets(story):
    rows = story.query(
        "select kafka_topic, first_offset, last_offset, messages, missing_before, missing_inside from {cdc}.offset_gaps"
    )
    assert [tuple(row.values()) for row in rows] == [("drs", 4, 7, 2, 2, 2)]


def test_message_accounting_counts_every_outcome(story):
    rows = story.query(
        "select topic, sum(landed_messages), sum(change_messages), sum(rejected_messages), sum(unaccounted_messages) from {cdc}.message_accounting group by topic order by 1"
    )
    assert [tuple(row.values()) for row in rows] == [("drs", 4, 4, 0, 0), ("drs_poor", 1, 0, 1, 0)]


# Changed settings, and replays ---------------------------------------------------------------------------------------------------

EVENTS = ["run", "--select", "events"]
READ = [*CHANGELOG[:6], "changelog", "held_tables"]
WRONG = {
    "topics": [
        {"topic": "crm*", "format": "huawei_drs_json", "source": "old"},
        {"topic": "poor", "format": "huawei_drs_json_c"},
    ],
    "tables": [{"table": "d.misread", "key": ["nope"]}],
}
RIGHT = {
    "topics": [
        {"topic": "crm*", "format": "huawei_drs_json", "source": "new"},
        {"topic": "poor", "format": "huawei_drs_json_c"},
    ],
    "tables": [],
}


LANDED = datetime(2026, 11, 25, 8, 30, 2, tzinfo=timezone.utc)


@pytest.fixture(scope="module")
def misread(project):
    """A project of three batches. The first and third have a wrong source, and the second has a message in quarantine.

    A topic of the third has no changes, so that it holds no table.
    """
    misread = project("misread", **WRONG)
    misread.land(topic("crm", [change(1), change(2)]), batch=11, landed_at=LANDED)
    misread.land(topic("poor", [change(1), change(2, table="misread")]), batch=12, landed_at=LANDED)
    altered = json.loads(change(4, kind="DDL"))
    altered.update(isDdl=True, data=None, sql="ALTER TABLE d.t ADD COLUMN c int")
    misread.land(
        [*topic("crm_b", [change(3)]), *topic("crm_ddl", [json.dumps(altered)])],
        batch=13,
        landed_at=LANDED,
    )
    misread.dbt(*READ)
    return misread


def written(project):
    """Return the files of events by batch."""
    file = {"iceberg": "_file", "delta": "_metadata.file_path"}[table_format.NAME]
    return {
        row["batch"]: row["files"]
        for row in project.query(
            f"select landing_batch as batch, array_sort(collect_set({file})) as files from {{cdc}}.events group by landing_batch"
        )
    }


def published_sources(project):
    """Return how many changes changelog has of each source."""
    rows = project.query(
        "select source_name, count(*) from {cdc}.changelog group by source_name order by 1"
    )
    return [tuple(row.values()) for row in rows]


def test_a_changed_mapping_holds_its_tables_until_it_is_replayed_completely(misread):
    before = published_sources(misread)
    assert before == [("huawei_drs_json_c", 1), ("old", 3)]
    misread.settings = {**WRONG, "topics": RIGHT["topics"]}
    result = misread.dbt(*READ)
    assert findings(result) == {"streams_are_healthy": "warn", "tables_are_not_held": "warn"}
    finding = (
        "topic {}: {} messages were read as huawei_drs_json of source old, but topics now sets format huawei_drs_json "
        "and source new"
    )
    remedy = "To read the topic again: dbt build --vars '{{replay: [\"{}\"]}}'"
    counts = {"crm": 2, "crm_b": 1, "crm_ddl": 1}
    assert holds(misread) == [
        ("t", "changed_mapping", finding.format(name, counts[name]), remedy.format(name))
        for name in ("crm", "crm_b")
    ]
    reason = (
        "table d.t of source old is held: it keeps its state of the landing"
        " at 2026-11-25 08:30:02 UTC. Reason: "
    )
    assert sentences(misread, result) == sorted(
        f"{reason if name != 'crm_ddl' else ''}{finding.format(name, counts[name])}. {remedy.format(name)}"
        for name in counts
    )
    assert published_sources(misread) == before
    before = written(misread)
    assert findings(misread.dbt(*READ, replay=["crm*"])) == {}
    after = written(misread)
    assert {batch for batch in after if after[batch] != before[batch]} == {11, 13}
    rows = misread.query(
        "select source_name, count(*) as events from {cdc}.events group by source_name order by 1"
    )
    assert [tuple(row.values()) for row in rows] == [("huawei_drs_json_c", 2), ("new", 4)]
    assert published_sources(misread) == [("huawei_drs_json_c", 1), ("new", 3)]
    assert misread.query(
        "select distinct source_name from {cdc}.event_batch_stats where kafka_topic <> 'poor'"
    ) == [{"source_name": "new"}]


def test_quarantined_messages_are_parsed_again(misread):
    assert misread.query("select reject_code from {cdc}.events where event_kind = 'rejected'") == [
        {"reject_code": "missing_key"}
    ]
    misread.settings = RIGHT
    before = written(misread)
    misread.dbt(*EVENTS, replay="quarantine")
    after = written(misread)
    assert {batch for batch in after if after[batch] != before[batch]} == {12}
    assert misread.query(
        "select source_table from {cdc}.events where event_kind = 'change' and landing_batch = 12 order by 1"
    ) == [{"source_table": "misread"}, {"source_table": "t"}]
    misread.dbt(*EVENTS, replay="quarantine")
    assert written(misread) == after


def test_a_replay_of_topics_that_never_landed_stops(misread):
    assert "no landed topic matches" in failure(misread.invoke(*EVENTS, replay=["cmr"]))


def test_a_replay_names_messages_missing_in_raw(misread):
    misread.query("delete from {raw}.kafka_messages where topic = 'crm' and offset = 0")
    for replay in ("all", ["crm"]):
        assert "batch 11, topic crm, partition 0, offsets 0 to 0" in failure(
            misread.invoke(*EVENTS, replay=replay)
        )
    misread.dbt(*EVENTS, replay=["crm_b"])


# Split updates ---------------------------------------------------------------------------------------------------------------------

SPLIT_BUILD = [
    "build",
    "--select",
    "events",
    "event_batch_stats",
    "outdated_topic_mappings",
    "gates",
    "intermediate",
    "changelog",
    "split_updates",
    "orphan_tombstones",
]


def one_event(operation, sequence, key, name):
    """Return the value of a message of alibaba_dataworks: the before or after event of an update."""
    image = "before" if operation == "UPDATE_BEFOR" else "after"
    return json.dumps(
        {
            "schema": {
                "dataColumn": [{"name": "id", "type": "LONG"}, {"name": "name", "type": "STRING"}],
                "primaryKey": ["id"],
                "source": {"dbType": "mysql", "dbName": "d", "tableName": "t"},
            },
            "payload": {
                "op": operation,
                "sequenceId": f"16{sequence:018d}",
                "timestamp": {
                    "eventTime": 1624614713000,
                    "systemTime": 1624614714000,
                    "checkpointTime": 1624614714000,
                },
                image: {"dataColumn": {"id": key, "name": name}},
            },
            "version": "0.0.1",
        }
    )


def deletion(key, kind="DELETE"):
    """Return the message of a change and its Kafka key."""
    return {"key": f"k{key}", "value": change(int(key), key, kind=kind)}


def of_stream(topic, offset, table, **source):
    """Return an insert of Debezium, whose stream has a name only if the source gives one."""
    position = {"file": "bin.000001", "pos": 100 + offset, "row": 0}
    source = {"connector": "mysql", "db": "d", "table": table, **position, **source}
    value = {"before": None, "after": {"id": 1}, "source": source, "op": "c", "ts_ms": 1}
    return {"topic": topic, "offset": offset, "key": '{"id":1}', "value": json.dumps(value)}


@pytest.fixture(scope="module")
def splits(project):
    """Split updates in one batch and in two, with a new key, with a shared sequence and without counterpart, and tombstones.

    Also tables of Debezium in topics with an entry each.
    """
    entries = ["stream_1", "stream_2", ["stream_3", "stream_4"]]
    streams = [{"topic": names, "format": "debezium"} for names in entries]
    streams.append({"topic": "works", "format": "alibaba_dataworks"})
    splits = project("splits", topics=[*TOPICS, *streams])
    before, after = "UPDATE_BEFOR", "UPDATE_AFTER"
    works = [
        one_event(before, 1, 1, "a"),
        one_event(after, 1, 1, "b"),  # a pair
        one_event(before, 2, 1, "b"),
        one_event(after, 2, 9, "b"),  # with a new key
        one_event(before, 3, 5, "x"),
        one_event(before, 3, 6, "x"),
        one_event(after, 3, 6, "y"),
        one_event(after, 3, 5, "y"),  # two rows of one statement
        one_event(before, 1, 1, "a"),  # delivered again
        one_event(after, 5, 7, "alone"),
        one_event(before, 6, 8, "alone"),
        one_event(before, 7, 2, "apart"),
    ]
    splits.land(
        [
            *topic("works", works),
            of_stream("stream_1", 0, "orders"),
            of_stream("stream_2", 0, "orders"),  # perhaps of another database
            of_stream("stream_2", 1, "items"),
            of_stream("stream_1", 1, "named", name="shop"),
            of_stream("stream_2", 2, "named", name="shop"),
            of_stream("stream_3", 0, "parts"),
            of_stream("stream_4", 0, "parts"),  # of one entry
            *(
                {"topic": "drs", "offset": at, **message}
                for at, message in enumerate(
                    [
                        deletion("1"),
                        {"key": "k1"},  # paired at once
                        deletion("2"),
                        deletion("3", "INSERT"),
                        {"key": "k2"},  # paired later
                        {"key": "k3"},  # of a live row
                        {"key": "k4"},  # of an unknown row
                        deletion("5"),
                    ]
                )
            ),
        ]
    )
    splits.land(
        [
            *topic("works", [one_event(after, 7, 2, "apart too")], begin=12),
            {"topic": "drs", "offset": 8, "key": "k5"},
        ]
    )
    splits.result = splits.dbt(*SPLIT_BUILD)
    return splits


def test_split_updates_are_paired_by_their_sequence(splits):
    rows = splits.query(
        "select source_sequence[1] % 1000 as sequence, before_key, after_key, before_offset, after_offset, is_paired from {cdc}.split_updates order by 1, 4, 5"
    )
    key = lambda one: f'{{"id":"{one}"}}'
    assert [tuple(row.values()) for row in rows] == [
        (1, key(1), key(1), 0, 1, True),
        (2, key(1), key(9), 2, 3, True),
        (3, key(5), key(5), 4, 7, True),
        (3, key(6), key(6), 5, 6, True),
        (5, None, key(7), None, 9, False),
        (6, key(8), None, 10, None, False),
        (7, key(2), key(2), 11, 12, True),
    ]


def test_a_table_is_held_if_two_entries_have_it_and_no_message_names_its_stream(splits):
    assert holds(splits) == [
        (
            "orders",
            "unnamed_streams",
            "table d.orders of source debezium is in topics with different entries in topics, and its"
            " messages do not name their stream: stream_1, stream_2",
            "If this is one stream, write one entry for its topics: - {topic: [stream_1, stream_2], ...}."
            " Otherwise add a source to each entry, then run"
            """ dbt build --vars '{replay: ["stream_1", "stream_2"]}'""",
        )
    ]


def test_tombstones_without_a_delete_are_reported(splits):
    rows = splits.query(
        "select kafka_topic, kafka_offset, message_key from {cdc}.orphan_tombstones order by all"
    )
    assert [tuple(row.values()) for row in rows] == [("drs", 5, "k3"), ("drs", 6, "k4")]


def test_events_without_their_counterpart_are_a_warning(splits):
    assert findings(splits.result) == {"streams_are_healthy": "warn"}
    before, tombstone = sentences(splits, splits.result)
    assert (
        before.startswith("table d.t of source alibaba_dataworks has 1 before events")
        and "topic works, partition 0, offset 10" in before
    )
    assert tombstone.startswith("topic drs has 2 tombstones") and "offset 5" in tombstone


# Changes without messages -----------------------------------------------------------------------------------------------------------

SILENT = [
    "build",
    "--select",
    "events",
    "event_batch_stats",
    "outdated_topic_mappings",
    "gates",
    "intermediate",
    "changelog",
    "current_rows",
    "current_state",
    "message_accounting",
    "schema_changes",
    "unreplicated_ddl_effects",
    "stale_rows",
]
STATEMENTS = [  # what a statement may do to rows without messages
    ("ALTER TABLE u ADD COLUMN c int NOT NULL", ["adds a column with a value"]),
    ("alter table shop.u add (c int default 5)", ["adds a column with a value"]),
    ("ALTER TABLE u ADD COLUMN c varchar(9) DEFAULT NULL COMMENT 'default 5, drop column x'", []),
    ("ALTER TABLE u ADD UNIQUE KEY `drop column` (c), ADD INDEX i (c)", []),
    ("ALTER TABLE u /* no */ DROP COLUMN c", ["drops a column"]),
    (
        "ALTER TABLE u DROP c, ADD d int DEFAULT '7'",
        ["adds a column with a value", "drops a column"],
    ),
    ("ALTER TABLE u DROP INDEX i, DROP PRIMARY KEY", []),
    ("ALTER TABLE u MODIFY COLUMN c bigint", ["changes the type of a column"]),
    ("ALTER TABLE u CHANGE c d bigint", ["changes the type of a column"]),
    ("ALTER TABLE u ALTER COLUMN c TYPE bigint", ["changes the type of a column"]),
    ("ALTER TABLE u ALTER COLUMN c SET DEFAULT 5", []),
    ("ALTER TABLE u CONVERT TO CHARACTER SET utf8mb4", ["changes the type of a column"]),
    ("ALTER TABLE u RENAME COLUMN c TO d", ["renames a column"]),
    ("ALTER TABLE u TRUNCATE PARTITION p1", ["empties or moves a partition"]),
    ("ALTER TABLE u ADD PARTITION (PARTITION p2 VALUES LESS THAN (10))", []),
    ("CREATE INDEX i ON u (c)", []),
    ("RENAME TABLE u TO v", ["renames the table, which keeps its old name in current_rows"]),
]


def maxwell(at, kind, table="t", key=None, **more):
    """Return the value of a message of maxwell."""
    return json.dumps(
        {
            "database": "shop",
            "table": table,
            "type": kind,
            "ts": 1735689600 + at,
            "data": {"id": key} if key else {},
            **more,
        }
    )


@pytest.fixture(scope="module")
def silent(project):
    """A table with an ALTER between two snapshots, one with statements and no snapshot, and statements in place of rows."""
    silent = project(
        "silent",
        tables=[{"table": "shop.*", "key": ["id"]}],
        topics=[{"topic": name, "format": name} for name in ("maxwell", "canal", "debezium")],
    )
    kinds = [
        ("bootstrap-start", None),
        ("bootstrap-insert", 1),
        ("bootstrap-insert", 2),
        ("bootstrap-complete", None),
        ("insert", 3),
        ("table-alter", None),
        ("insert", 4),
    ]
    again = [
        ("bootstrap-start", None),
        ("bootstrap-insert", 1),
        ("bootstrap-insert", 4),
        ("bootstrap-complete", None),
        ("insert", 5),
    ]
    story = [
        maxwell(
            at,
            kind,
            key=key,
            **(
                {"sql": "ALTER TABLE t DROP COLUMN c", "ts": 1735689600000 + 1000 * at}
                if kind == "table-alter"
                else {}
            ),
        )
        for at, (kind, key) in enumerate(kinds + again)
    ]
    statements = [
        maxwell(0, "table-alter", table="u", sql=text, ts=1735689700000 + at)
        for at, (text, _) in enumerate(STATEMENTS)
    ]
    instead = {
        "data": None,
        "database": "shop",
        "es": 1735689673000,
        "gtid": "",
        "id": 73,
        "isDdl": False,
        "mysqlType": None,
        "old": None,
        "pkNames": None,
        "sql": "update orders set qty = 0",
        "sqlType": None,
        "table": "orders",
        "ts": 1735689673420,
        "type": "UPDATE",
    }
    row = {
        **instead,
        "data": [{"id": "1"}],
        "es": instead["es"] + 1000,
        "pkNames": ["id"],
        "sql": "",
        "type": "INSERT",
    }
    annotation = {**instead, "es": row["es"]}  # of the row after it
    partial = {  # the row before it did not land, and its name is not in the message
        "before": None,
        "after": {"id": 2, "name": "__debezium_unavailable_value"},
        "source": {
            "connector": "postgresql",
            "name": "pg",
            "db": "shop",
            "schema": "public",
            "table": "people",
            "sequence": '["400","410"]',
            "lsn": 410,
            "ts_ms": 1735689674000,
        },
        "op": "u",
        "ts_ms": 1735689674420,
    }
    silent.land(
        [
            *topic("maxwell", story[:7]),
            *topic("canal", [json.dumps(value) for value in (instead, annotation, row)]),
            *topic("debezium", [json.dumps(partial)]),
        ]
    )
    silent.land(
        [
            *topic("maxwell", story[7:], begin=7),
            *topic("maxwell", [maxwell(0, "insert", table="u", key=1), *statements], begin=100),
        ]
    )
    silent.result = silent.dbt(*SILENT)
    return silent


def test_statements_that_change_rows_without_messages_are_reported(silent):
    rows = silent.query(
        "select kafka_topic, kafka_offset, source_table, effects, has_snapshot_since from {cdc}.unreplicated_ddl_effects order by 1, 2"
    )
    assert [tuple(row.values()) for row in rows] == [
        ("canal", 0, "orders", ["changes rows itself"], False),
        ("maxwell", 5, "t", ["drops a column"], True),
        *(
            ("maxwell", 101 + at, "u", effects, False)
            for at, (_, effects) in enumerate(STATEMENTS)
            if effects
        ),
    ]


def test_rows_that_the_newest_snapshot_lacks_are_reported(silent):
    assert silent.query("select source_table, row_key from {cdc}.stale_rows order by all") == [
        {"source_table": "t", "row_key": key} for key in ('{"id":"2"}', '{"id":"3"}')
    ]


def test_changes_without_messages_are_a_warning(silent):
    assert findings(silent.result) == {"streams_are_healthy": "warn"}
    instead, rows, statements = sentences(silent, silent.result)
    assert instead.startswith("table shop.orders of source canal has 1 statements")
    assert rows.startswith(
        "table shop.t of source maxwell has 2 rows that are not in its newest snapshot"
    )
    assert (
        statements.startswith("table shop.u of source maxwell has 11 statements")
        and "RENAME TABLE u TO v" in statements
    )


# The facts of the report --------------------------------------------------------------------------


def report_facts(project, folder, *, payloads=False):
    """Return the facts of the report about a project's lake. The folder has nothing of dbt."""
    return queries.read(project.spark, f"cdc_{project.name}", folder, payloads=payloads)


def test_the_report_shows_what_is_not_published(story, tmp_path):
    """Nothing of the story is published, and most models are not built."""
    facts = report_facts(story, tmp_path)
    noon = 1795262400  # 2026-11-21T12:00:00Z
    state = facts.publication
    assert (state.batches, state.waiting_batches, state.waiting_messages) == (3, 3, 5)
    assert (state.published_until, state.waiting_since) == (None, noon + 20)
    assert (state.unread_messages, state.lost_messages) == (0, 0)
    assert [(row.topic, row.messages, row.changes, row.rejected) for row in facts.topics] == [
        ("drs", 4, 4, 0),
        ("drs_poor", 1, 0, 1),
    ]
    times = [(row.occurred_at, row.kafka_at, row.landed_at) for row in facts.topics]
    assert times == [(noon + 5, noon + 17, noon + 20), (None, None, noon + 30)]
    assert [(row.topic, row.hour, row.change_messages, row.rejected) for row in facts.arrivals] == [
        ("drs", noon, 4, 0),
        ("drs_poor", noon, 0, 1),
    ]
    assert [(row.topic, row.code, row.hour, row.messages) for row in facts.rejections] == [
        ("drs_poor", "invalid_json", noon, 1)
    ]
    assert [(row.topic, row.offset, row.payload) for row in facts.rejected_messages] == [
        ("drs_poor", 0, None)
    ]
    assert {(row.column, row.drift) for row in facts.column_changes} == {
        ("a", "gone"),
        ("b", "retyped"),
        ("c", "new"),
    }
    assert [(row.topic, row.ranges, row.offsets) for row in facts.offset_gaps] == [("drs", 1, 4)]
    assert [(row.messages, row.is_published, row.bytes) for row in facts.batches] == [
        (messages, False, None) for messages in (1, 2, 2)
    ]
    assert [(row.source, row.table, row.changes, row.rows) for row in facts.tables] == [
        ("drs", "d.t", 4, None)
    ]
    assert not facts.held_tables.is_built and not facts.broken_chains.is_built


def test_the_report_shows_what_is_published(silent, tmp_path):
    facts = report_facts(silent, tmp_path)
    state = facts.publication
    assert (state.batches, state.waiting_batches, state.unread_messages) == (2, 0, 0)
    assert state.published_until is not None
    tables = {row.table: row for row in facts.tables}
    assert {name: (row.rows, row.changes, row.key) for name, row in tables.items()} == {
        "shop.orders": (1, 1, ["id"]),
        "shop.public.people": (1, 1, ["id"]),
        "shop.t": (5, 7, ["id"]),
        "shop.u": (1, 1, ["id"]),
    }
    assert {name: row.incomplete_rows for name, row in tables.items() if row.incomplete_rows} == {
        "shop.public.people": 1
    }
    assert facts.stale_rows.rows == [queries.facts.StaleRows("maxwell", "shop.t", 2)]
    effects = sum(bool(expected) for _, expected in STATEMENTS)
    assert facts.unrepaired_statements.total == effects + 1
    assert {row.text for row in facts.statements} == {None}


def test_the_report_lists_the_bytes_of_landing_batches(silent, tmp_path):
    """They add up to the files of raw, and the table's name is in dbt's manifest."""
    raw = f"raw_{silent.name}.kafka_messages"
    sources = {"source.kafka_cdc.raw.kafka_messages": {"relation_name": raw}}
    (tmp_path / "manifest.json").write_text(json.dumps({"sources": sources}))
    batches = report_facts(silent, tmp_path).batches
    assert len(batches) == 2 and all(batch.bytes > 0 and batch.is_published for batch in batches)
    size = metrics_queries.read_bytes(silent.spark, raw)
    assert abs(sum(batch.bytes for batch in batches) - size) <= 1


@pytest.mark.parametrize(
    ("batch", "files", "expected"),
    [
        (7, [(7, 7, 100, 10), (8, 8, 50, 5)], 100),
        (7, [(7, 7, 30, 4), (5, 8, 200, 20)], 90),  # 4 of its 10 messages are in its own file
        (7, [(8, 8, 50, 5)], None),
        (7, [(None, None, 300, 100)], 30),
        (7, [], None),
    ],
)
def test_the_bytes_of_a_landing_batch(batch, files, expected):
    """Files of several batches count by messages."""
    facts = queries.facts.Batch(str(batch), 0, 1, 10, 10, True, None)
    assert queries.get_bytes(facts, files) == expected


def test_the_report_has_payloads_if_asked_for(silent, tmp_path):
    statements = report_facts(silent, tmp_path, payloads=True).statements
    assert "ALTER TABLE t DROP COLUMN c" in {row.text for row in statements}


def test_the_report_names_the_command_that_builds(spark, tmp_path):
    with pytest.raises(LandingError, match="Hint: run dbt build"):
        queries.read(spark, "no_such_schema", tmp_path, payloads=False)


def test_the_report_names_typed_models_and_the_last_run(tmp_path):
    """From dbt's own files. A quote in the name of a table is escaped in the model."""
    node = {"resource_type": "model", "name": "its_model"}
    calls = [
        "{{ kafka_cdc.current_table('shop.t', source='crm', tenant='x') }}",
        "{{ config(tags=['a']) }} {{ kafka_cdc.current_table('d.o\\'x') }}",
        "{{ kafka_cdc.history_table('shop.t', source='crm') }}",
    ]
    nodes = {str(at): {**node, "raw_code": call} for at, call in enumerate(calls)}
    (tmp_path / "manifest.json").write_text(json.dumps({"nodes": nodes}))
    assert queries.read_typed_models(tmp_path) == {
        ("shop.t", "crm"): "its_model",
        ("d.o'x", None): "its_model",
    }
    results = {
        "metadata": {"generated_at": "2026-11-21T12:00:00.5Z"},
        "args": {"which": "build"},
        "elapsed_time": 9.04,
        "results": [
            {"unique_id": "model.kafka_cdc.a", "status": "success", "execution_time": 1.0},
            {"unique_id": "test.kafka_cdc.b.12ab", "status": "warn", "execution_time": 2.0},
        ],
    }
    (tmp_path / "run_results.json").write_text(json.dumps(results))
    run = queries.read_last_run(tmp_path)
    assert (run.began_at, run.command, run.seconds) == (1795262400, "build", 9.0)
    assert [(node.name, node.kind, node.status) for node in run.nodes] == [
        ("b", "test", "warn"),
        ("a", "model", "success"),
    ]


def test_the_metrics_count_what_landed(story, tmp_path):
    """The models of other checks are not built, so they have no samples."""
    raw = metrics_queries.get_raw_table(f"raw_{story.name}", "kafka_messages")
    facts = metrics_queries.read(story.spark, f"cdc_{story.name}", raw, tmp_path)
    assert [(row.topic, row.messages, row.changes) for row in facts.topics] == [
        ("drs", 4, 4),
        ("drs_poor", 1, 0),
    ]
    assert [(row.topic, row.code, row.messages) for row in facts.rejected] == [
        ("drs_poor", "invalid_json", 1)
    ]
    assert (facts.publication.waiting_messages, facts.held, facts.broken) == (5, (), ())
    schemas = {name.split(".")[0] for name in facts.bytes}
    assert schemas == {f"raw_{story.name}", f"cdc_{story.name}"}
    assert all(size > 0 for size in facts.bytes.values())
