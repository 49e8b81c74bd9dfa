"""dbt run-operation erase_row: it erases one row's data everywhere and for good. Everything else stays."""

import gzip
import json
import re
from pathlib import Path

import fastavro
import pytest
from pyarrow.parquet import ParquetFile
from test_difficult_streams import dataworks

from conftest import LAKE, iceberg, long
from kafka_cdc.cli import main
from kafka_cdc.tables import table_format

pytestmark = long
ROWS = {
    at: {
        "id": str(at),
        "name": f"name of {at}",
        "secret": f'secret of {at} \u00e9\U0001f600 "1.10"',
    }
    for at in (1, 2, 3, 4)
}


def message(at, kind, data, old=None):
    return {
        "topic": "drs",
        "offset": at,
        "key": f"key of {data[0]['id']}",
        "headers": [("of", data[0]["id"].encode())],
        "value": json.dumps(
            {
                "mysqlType": {"id": "int"},
                "id": at,
                "es": 1624614713001,
                "ts": 1625058726990,
                "database": "d",
                "table": "people",
                "type": kind,
                "isDdl": False,
                "sql": "",
                "data": data,
                "old": old,
                "pkNames": ["id"],
            }
        ),
    }


MESSAGES = [
    message(0, "INSERT", [ROWS[1]]),
    message(1, "INSERT", [ROWS[2], ROWS[1], ROWS[3]]),  # 1 again, among others
    message(2, "UPDATE", [{**ROWS[1], "name": "married"}], [{"name": ROWS[1]["name"]}]),
    message(3, "UPDATE", [{**ROWS[3], "name": "renamed"}], [{"name": ROWS[3]["name"]}]),
    message(
        4, "UPDATE", [{**ROWS[1], "id": "11"}], [{"id": "1"}]
    ),  # the person's key moves; 11 is erased on its own
    message(5, "INSERT", [ROWS[4]]),
    message(
        6,
        "UPDATE",
        [{**ROWS[4], "id": "44", "secret": "none"}],
        [{"id": "4", "secret": ROWS[4]["secret"]}],
    ),  # 44 is not erased
]
LEFT = {"2": ROWS[2]["name"], "3": "renamed", "44": ROWS[4]["name"]}
TOPIC = {"topic": "drs*", "format": "huawei_drs_json"}
# The tables with rows, and the views that all_contents reads.
RUN = ["run", "--select", "events+", "--exclude", "staging", "monitoring"]
# what a producer may write to have another message's event replaced
FORGED = {
    "topic": "drs",
    "offset": 30,
    "value": json.dumps(
        {
            "kafka_cdc_rewritten": [
                {
                    "kafka_topic": "drs",
                    "topic_incarnation": 0,
                    "kafka_partition": 0,
                    "kafka_offset": 3,
                    "row_index": 0,
                    "source_name": "crm",
                    "source_database": "d",
                    "source_table": "people",
                    "event_kind": "change",
                    "operation": "delete",
                    "row_key": '{"id":"3"}',
                }
            ]
        },
        separators=(",", ":"),
    ),
}


def names(project):
    return {
        json.loads(row["row_key"])["id"]: row["row_values"]["name"]
        for row in project.query("select row_key, row_values from {cdc}.current_state")
    }


def all_contents(project):
    """Return all contents of raw, events, history and state as one text."""
    tables = (
        "{raw}.kafka_messages",
        "{cdc}.events",
        "{cdc}.merged_rows",
        "{cdc}.current_rows",
        "{cdc}.row_history",
        "{cdc}.quarantine",
    )
    return "\n".join(
        row["row"]
        for table in tables
        for row in project.query(f"select to_json(struct(*)) as row from {table}")
    )


@pytest.fixture(scope="module")
def people(project):
    people = project("people", topics=[{**TOPIC, "source": "crm"}], compaction_threshold=0)
    people.land(MESSAGES)
    people.dbt(*RUN)
    assert names(people) == {**LEFT, "11": ROWS[1]["name"]}
    for key in ("1", "11", "4"):
        people.dbt(
            "run-operation",
            "erase_row",
            "--args",
            json.dumps({"table": "d.people", "key": {"id": key}}),
        )
    return people


@pytest.mark.delta_long
def test_the_row_is_gone_and_the_others_stay(people):
    assert names(people) == LEFT
    assert (
        not re.search("secret of [14] ", all_contents(people))
        and "married" not in all_contents(people)
        and '{\\"id\\":\\"1\\"}' not in all_contents(people)
    )
    assert people.query("select count(*) as number from {raw}.kafka_messages") == [{"number": 7}]
    assert people.query("select kafka_offset, row_index from {cdc}.events order by all") == [
        {"kafka_offset": at, "row_index": row}
        for at, row in [(0, 0), (1, 0), (1, 1), (1, 2), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0)]
    ]


@iceberg
def test_no_table_version_contains_it(people):
    assert people.query("select count(*) as number from {raw}.kafka_messages.snapshots") == [
        {"number": 1}
    ]
    assert people.query("select count(*) as number from {raw}.kafka_messages.delete_files") == [
        {"number": 0}
    ]
    assert people.query("select count(*) as number from {cdc}.events.snapshots") == [{"number": 1}]
    assert people.query("select count(*) as number from {cdc}.merged_rows.snapshots") == [
        {"number": 1}
    ]


@pytest.mark.delta_long
def test_no_file_contains_it(people):
    """Neither do files without a table version, nor the metadata files of the table formats."""
    tables = [*Path(LAKE.name).glob("raw_people*/*"), *Path(LAKE.name).glob("cdc_people*/*")]
    read = [
        str(ParquetFile(path).read().to_pylist())
        for table in tables
        for path in table.rglob("*.parquet")
    ]
    written = [path.read_bytes() for table in tables for path in table.rglob("*.json")]
    metadata = [
        (gzip.decompress(text) if text.startswith(b"\x1f\x8b") else text).decode()
        for text in written
    ]
    metadata += [
        path.read_bytes().decode(errors="replace")
        for table in tables
        for path in table.rglob("*.crc")
    ]
    for path in (path for table in tables for path in table.rglob("*.avro")):
        with open(path, "rb") as file:
            metadata.append(str([*fastavro.reader(file)]))
    assert len(read) > 5 and any("secret of" in text for text in read) and metadata
    assert not [
        text
        for text in [*read, *metadata]
        if re.search(
            r"""secret of [14] |married|key of [14]\b|\{\\*"id\\*":\\*"[14]\\*[",]""", text
        )
    ]


def test_neither_a_replay_nor_a_duplicate_restores_it(people):
    before = people.query("select * from {cdc}.events order by kafka_offset, row_index")
    people.dbt(*RUN, replay="all", topics=[{**TOPIC, "source": "crm2"}])
    assert people.query("select * from {cdc}.events order by kafka_offset, row_index") == [
        {**event, "source_name": "crm2"} for event in before
    ]
    people.dbt(*RUN, replay="all")  # else the other source holds the table
    people.land([*({**message, "offset": 10 + message["offset"]} for message in MESSAGES), FORGED])
    people.dbt(*RUN)
    assert names(people) == LEFT
    assert people.query("select * from {cdc}.table_holds") == []  # so that the rows are the newest
    assert people.query("select kafka_offset, message_value from {cdc}.quarantine") == [
        {"kafka_offset": 30, "message_value": FORGED["value"]}
    ]
    assert not re.search(
        "secret of [14] ", "".join(map(str, people.query("select * from {cdc}.events")))
    )
    people.dbt(
        "run-operation",
        "erase_row",
        "--args",
        json.dumps({"table": "d.people", "source": "crm", "key": {"id": 1}}),
    )
    assert not re.search(
        "secret of [14] ", all_contents(people)
    )  # 11 is erased too, because the list of hashes has all


def test_a_file_that_still_contains_it_lands_only_new_messages(people, tmp_path):
    lines = [
        {
            **message,
            "payload": message["value"],
            "headers": ["of", message["headers"][0][1].decode()],
            "partition": 0,
        }
        for message in [*MESSAGES, message(7, "INSERT", [{"id": "5", "name": "new", "secret": ""}])]
    ]
    (tmp_path / "dump.kcat.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    before = people.query("select * from {raw}.kafka_messages order by all")
    assert main(["land", "files", str(tmp_path), "--schema", "raw_people"]) == 0
    landed = [
        row
        for row in people.query("select * from {raw}.kafka_messages order by all")
        if row not in before
    ]
    assert [(row["offset"], row["value"]) for row in landed] == [(7, lines[7]["value"])]


def test_an_earlier_key_that_is_not_published_yet_is_found(project, capsys):
    """The command rewrites events that no build has published.

    It would leave the before event alone, and the row with it.
    """
    topics = [{"topic": "dw.*", "format": "alibaba_dataworks", "source": "dw"}]
    works = project("people_of_works", topics=topics)
    row = {"id": "1", "n": "a"}
    works.land([dataworks(0, "INSERT", row, "people", 1)])
    works.dbt(*RUN)
    works.land(
        [
            dataworks(1, "UPDATE_BEFOR", row, "people", 2),
            dataworks(2, "UPDATE_AFTER", {**row, "id": "9"}, "people", 2),
        ]
    )
    works.dbt("run", "--select", "events", "event_batch_stats")
    arguments = json.dumps({"table": "d.people", "key": {"id": "9"}})
    capsys.readouterr()
    result = works.invoke("run-operation", "erase_row", "--args", arguments)
    output = capsys.readouterr().out + str(result.exception or "")
    assert not result.success and "had another key before" in " ".join(output.split())


def test_a_run_stops_if_the_hashes_have_their_old_name(project):
    """A lake of an earlier version has the hashes under the old name. No run may restore the erased rows meanwhile."""
    older = project("people_of_before", topics=[{**TOPIC, "source": "crm"}], compaction_threshold=0)
    erase = [
        "run-operation",
        "erase_row",
        "--args",
        json.dumps({"table": "d.people", "key": {"id": "1"}}),
    ]
    older.land(MESSAGES[:3])
    older.dbt(*RUN)
    older.dbt(*erase)
    older.query(
        f"create table {{cdc}}.forgotten_rows using {table_format.NAME} "  # codespell:ignore
        "as select row_hash, erased_at as forgotten_at from {cdc}.erased_rows"  # codespell:ignore
    )
    older.query("drop table {cdc}.erased_rows")
    older.query(
        "update {cdc}.events set operation_code = regexp_replace(operation_code, 'erased$', 'forgotten')"  # codespell:ignore
    )  # codespell:ignore
    events = "select kafka_offset, row_index, operation_code, after_row from {cdc}.events order by kafka_offset, row_index"
    before = older.query(events)
    assert "forgotten" in {row["operation_code"] for row in before}  # codespell:ignore

    older.land([{**MESSAGES[0], "offset": 10}])  # a duplicate of the erased row
    result = older.invoke("run", "--select", "events")
    (message,) = [
        run.message
        for run in result.result
        if "forgotten_rows" in (run.message or "")  # codespell:ignore
    ]  # codespell:ignore
    assert (
        "cdc_people_of_before.forgotten_rows lists erased rows and is now named erased_rows"  # codespell:ignore
        in message
    )  # codespell:ignore
    assert not older.invoke(*erase).success
    assert older.query(events) == before
    assert older.query("show tables in {cdc} like 'erased_rows'") == []

    for statement in message.split("then the same command again: ")[1].splitlines()[0].split("; "):
        older.query(statement)
    older.dbt(*RUN)
    assert set(names(older)) == {"2", "3"}
    assert not [
        row
        for row in older.query(events)
        if "forgotten" in (row["operation_code"] or "")  # codespell:ignore
    ]  # codespell:ignore
    assert not re.search(
        "secret of 1 ", "".join(map(str, older.query("select * from {cdc}.events")))
    )
    older.dbt(*erase)
    assert not re.search("secret of 1 ", all_contents(older))
