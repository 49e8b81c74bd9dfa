"""Invalid settings stop `dbt parse` with one line that names the setting and what is valid. Needs no Spark.

Mistakes in a format's mapping stop it, too. A few values are tried with `dbt parse` itself. The others are tried with the
models' text as an inline query, which dbt parses in the same way in a tenth of the time.
"""

import contextlib
import io
import json
import re
import shutil

import pytest
from dbt.cli.main import dbtRunner

from conftest import HOME, OF_A_RUN, SHARED, long

pytestmark = pytest.mark.unit
FORMATS = sorted(
    file.stem for file in (HOME / "macros" / "formats").glob("*.sql") if file.stem != "format_list"
)
TOPIC_KEYS = (
    "topic, format, source, timezone, key, replica_identity, binlog_row_image, "
    "operation_column, encoding, expect, envelope"
)

ENVELOPE = {"operation": "meta.op", "operations": {"I": "insert"}, "after": "row"}


def custom(**changes):
    """Return a line of topics with an envelope. A part that is None is left out."""
    envelope = {name: value for name, value in (ENVELOPE | changes).items() if value is not None}
    return [{"topic": "a", "format": "custom", "envelope": envelope}]


TOPICS = {
    "custom_without_an_envelope": (
        [{"topic": "a", "format": "custom"}],
        "topics[entry 1: a].envelope",
        ["a mapping of paths"],
    ),
    "envelope_of_another_format": (
        [{"topic": "a", "format": "canal", "envelope": ENVELOPE}],
        "topics[entry 1: a].envelope",
        ["format: custom only"],
    ),
    "envelope_without_after": (custom(after=None), "topics[entry 1: a].envelope.after", ["a path"]),
    "envelope_with_an_unknown_key": (
        custom(befor="old"),
        "topics[entry 1: a].envelope.befor",
        ["before", "sequence", "time_unit"],
    ),
    "envelope_path_with_a_space": (
        custom(operation="the op"),
        "topics[entry 1: a].envelope.operation",
        ["a path of member names"],
    ),
    "envelope_without_codes": (
        custom(operations={}),
        "topics[entry 1: a].envelope.operations",
        ["a mapping"],
    ),
    "envelope_with_an_unknown_operation": (
        custom(operations={"I": "upsert"}),
        "topics[entry 1: a].envelope.operations.I",
        ["insert", "snapshot", "other"],
    ),
    "envelope_with_a_quoted_code": (
        custom(operations={"I'": "insert"}),
        "topics[entry 1: a].envelope.operations",
        ["without quotes"],
    ),
    "envelope_path_inside_another": (
        custom(table="meta.op.table"),
        "topics[entry 1: a].envelope.table",
        ["no other path"],
    ),
    "envelope_types_with_metadata": (
        custom(column_types="meta"),
        "topics[entry 1: a].envelope.column_types",
        ["no other path"],
    ),
    "envelope_path_of_the_message": (
        custom(operation="."),
        "topics[entry 1: a].envelope.operation",
        ["a path of member names"],
    ),
    "envelope_paths_that_differ_by_case": (
        custom(sequence=["meta.lsn", "meta.LSN"]),
        "topics[entry 1: a].envelope.sequence",
        ["no other path"],
    ),
    "envelope_path_of_two_types": (
        custom(key="meta.op"),
        "topics[entry 1: a].envelope.key",
        ["no other path"],
    ),
    "envelope_with_an_unknown_unit": (
        custom(occurred_at="at", time_unit="ns"),
        "topics[entry 1: a].envelope.time_unit",
        ["text", "s", "ms", "us"],
    ),
    "not_a_list": ("orders", "topics", ["a list of lines"]),
    "a_mapping": ({"topic": "orders"}, "topics", ["a list of lines"]),
    "line_is_text": (["orders"], "topics[entry 1]", TOPIC_KEYS.split(", ")),
    "unknown_key": (
        [{"topic": "orders", "fromat": "debezium"}],
        "topics[entry 1: orders].fromat",
        TOPIC_KEYS.split(", "),
    ),
    "unknown_format": (
        [{"topic": "orders", "format": "kafka"}],
        "topics[entry 1: orders].format",
        ["auto", *FORMATS],
    ),
    "misspelt_format": (
        [{"topic": "orders", "format": "Debezium"}],
        "topics[entry 1: orders].format",
        ["auto", *FORMATS],
    ),
    "format_without_value": (
        [{"topic": "orders", "format": None}],
        "topics[entry 1: orders].format",
        ["auto", *FORMATS],
    ),
    "empty_topic": ([{"topic": ""}], "topics[entry 1].topic", ["a topic name"]),
    "empty_list_of_topics": (
        [{"topic": []}],
        "topics[entry 1].topic",
        ["a name, a glob or a list"],
    ),
    "no_topic": ([{"topic": "a"}, {"format": "debezium"}], "topics[entry 2].topic", []),
    "topic_with_a_space": (
        [{"topic": "shop orders"}],
        "topics[entry 1: shop orders].topic",
        ["a topic name"],
    ),
    "topic_with_a_quote": (
        [{"topic": ["orders", "o'rders"]}],
        "topics[entry 1: orders, o'rders].topic",
        ["a topic name"],
    ),
    "topic_with_a_line_end": (
        [{"topic": "orders\n"}],
        "topics[entry 1: orders].topic",
        ["a topic name"],
    ),
    "topic_is_a_number": ([{"topic": 7}], "topics[entry 1: 7].topic", ["a name, a glob or a list"]),
    "topic_list_with_a_number": (
        [{"topic": ["orders", 7]}],
        "topics[entry 1: orders, 7].topic",
        ["a topic name"],
    ),
    "two_lines_without_source": (
        [{"topic": "a", "format": "canal", "source": "a"}, {"topic": "b", "format": "canal"}],
        "topics[entry 2: b].source",
        ["canal"],
    ),
    "two_lines_first_without_source": (
        [{"topic": "a", "format": "canal"}, {"topic": "b", "format": "canal", "source": "b"}],
        "topics[entry 1: a].source",
        ["canal"],
    ),
    "two_envelopes_with_a_table": (
        [*custom(table="meta.table"), *custom()],
        "topics[entry 1: a].source",
        ["custom"],
    ),
    "a_long_list_of_topics": (
        [{"topic": [f"orders_of_region_{number}" for number in range(9)], "key": 1}],
        "topics[entry 1: orders_of_region_0, orders_of_region_1,...].key",
        ["a list of column names"],
    ),
    "source_is_a_number": ([{"topic": "a", "source": 7}], "topics[entry 1: a].source", ["a text"]),
    "expect_is_text": (
        [{"topic": "a", "expect": "1h"}],
        "topics[entry 1: a].expect",
        ["a mapping"],
    ),
    "expect_is_empty": ([{"topic": "a", "expect": {}}], "topics[entry 1: a].expect", ["a mapping"]),
    "expect_unknown_key": (
        [{"topic": "a", "expect": {"max_silense": "1h"}}],
        "topics[entry 1: a].expect.max_silense",
        ["max_lag", "max_silence", "action", "max_rejected", "max_lost"],
    ),
    "expect_without_unit": (
        [{"topic": "a", "expect": {"max_lag": 15}}],
        "topics[entry 1: a].expect.max_lag",
        ["unit"],
    ),
    "expect_with_a_wrong_unit": (
        [{"topic": "a", "expect": {"max_silence": "1 week"}}],
        "topics[entry 1: a].expect.max_silence",
        ["s, m, h or d"],
    ),
    "expect_of_no_time": (
        [{"topic": "a", "expect": {"max_silence": "0h"}}],
        "topics[entry 1: a].expect.max_silence",
        ["from 1"],
    ),
    "expect_unknown_action": (
        [{"topic": "a", "expect": {"max_lag": "1m", "action": "error"}}],
        "topics[entry 1: a].expect.action",
        ["warn", "fail"],
    ),
    "expect_less_than_nothing": (
        [{"topic": "a", "expect": {"max_rejected": -1}}],
        "topics[entry 1: a].expect.max_rejected",
        ["from 0"],
    ),
    "empty_source": ([{"topic": "a", "source": ""}], "topics[entry 1: a].source", ["a text"]),
    "timezone_without_place": (
        [{"topic": "a", "timezone": "Beijing"}],
        "topics[entry 1: a].timezone",
        ["IANA"],
    ),
    "timezone_that_is_none": (
        [{"topic": "a", "timezone": "Asia/Shanghay"}],
        "topics[entry 1: a].timezone",
        ["IANA"],
    ),
    "timezone_beyond_a_day": (
        [{"topic": "a", "timezone": "+99:00"}],
        "topics[entry 1: a].timezone",
        ["IANA"],
    ),
    "timezone_beyond_18_hours": (
        [{"topic": "a", "timezone": "+18:30"}],
        "topics[entry 1: a].timezone",
        ["IANA"],
    ),
    "timezone_is_a_number": (
        [{"topic": "a", "timezone": 8}],
        "topics[entry 1: a].timezone",
        ["IANA"],
    ),
    "key_is_text": (
        [{"topic": "a", "key": "id"}],
        "topics[entry 1: a].key",
        ["a list of column names"],
    ),
    "empty_key": (
        [{"topic": "a", "key": []}],
        "topics[entry 1: a].key",
        ["a list of column names"],
    ),
    "key_with_an_empty_name": (
        [{"topic": "a", "key": ["id", ""]}],
        "topics[entry 1: a].key",
        ["a column name"],
    ),
    "key_with_a_number": (
        [{"topic": "a", "key": [1]}],
        "topics[entry 1: a].key",
        ["a column name"],
    ),
    "replica_identity_in_capitals": (
        [{"topic": "a", "replica_identity": "FULL"}],
        "topics[entry 1: a].replica_identity",
        ["default", "full"],
    ),
    "binlog_row_image_in_capitals": (
        [{"topic": "a", "binlog_row_image": "MINIMAL"}],
        "topics[entry 1: a].binlog_row_image",
        ["full", "minimal", "noblob"],
    ),
}
TABLES = {
    "not_a_list": ({"table": "a.b"}, "tables", ["a list of lines"]),
    "unknown_key": (
        [{"table": "a.b", "keys": ["id"]}],
        "tables[entry 1: a.b].keys",
        ["table", "source", "key", "order_by", "on_truncate"],
    ),
    "no_table": ([{"key": ["id"]}], "tables[entry 1].table", []),
    "table_is_a_list": ([{"table": ["a.b"]}], "tables[entry 1: a.b].table", ["a name or glob"]),
    "key_is_text": (
        [{"table": "a.b", "key": "id"}],
        "tables[entry 1: a.b].key",
        ["a list of column names"],
    ),
    "column_types_is_text": (
        [{"table": "a.b", "column_types": "id int"}],
        "tables[entry 1: a.b].column_types",
        ["a mapping of columns"],
    ),
    "column_type_is_a_number": (
        [{"table": "a.b", "column_types": {"id": 7}}],
        "tables[entry 1: a.b].column_types.id",
        ["the source database's types"],
    ),
    "column_type_is_empty": (
        [{"table": "a.b", "column_types": {"id": ""}}],
        "tables[entry 1: a.b].column_types.id",
        ["the source database's types"],
    ),
    "unknown_database_type": (
        [{"table": "a.b", "database_type": "MySQL"}],
        "tables[entry 1: a.b].database_type",
        ["mysql", "postgresql", "oracle", "sqlserver", "db2", "mongodb"],
    ),
    "unknown_order_by": (
        [{"table": "a.b", "order_by": "time"}],
        "tables[entry 1: a.b].order_by",
        ["sequence", "offset", "kafka_timestamp"],
    ),
    "unknown_on_truncate": (
        [{"table": "a.b", "on_truncate": "delete"}],
        "tables[entry 1: a.b].on_truncate",
        ["apply", "keep", "error"],
    ),
    "unknown_on_tombstone": (
        [{"table": "a.b"}, {"table": "c", "on_tombstone": True}],
        "tables[entry 2: c].on_tombstone",
        ["ignore"],
    ),
    "columns_without_a_mask": (
        [{"table": "a.b", "columns": {"email": "hash"}}],
        "tables[entry 1: a.b].columns.email",
        ["a mapping with mask"],
    ),
    "columns_with_an_unknown_mask": (
        [{"table": "a.b", "columns": {"email": {"mask": "sha256"}}}],
        "tables[entry 1: a.b].columns.email.mask",
        ["hash", "null", "last4", "drop"],
    ),
    "columns_with_a_masked_key": (
        [{"table": "a.b", "key": ["ID"], "columns": {"i*": {"mask": None}}}],
        "tables[entry 1: a.b].columns",
        ["hash for the key column ID"],
    ),
    "hold_is_text": (
        [{"table": "a.b", "hold": "true"}],
        "tables[entry 1: a.b].hold",
        ["true", "false"],
    ),
    "hold_without_value": (
        [{"table": "a.b", "hold": None}],
        "tables[entry 1: a.b].hold",
        ["true", "false"],
    ),
}
MAPPED = {
    "not_a_mapping": (["topic"], "raw_column_mapping", ["topic", "landing_batch"]),
    "unknown_column": (
        {"landing_batch": "1", "payload": "v"},
        "raw_column_mapping.payload",
        ["topic", "value", "landed_at"],
    ),
    "no_sql": ({"landing_batch": "1", "offset": 7}, "raw_column_mapping.offset", ["SQL"]),
    "no_batch": ({"value": "v"}, "raw_column_mapping.landing_batch", ["SQL for a number"]),
}
FORMATS_OF_OWN = {
    "a_format_of_the_package": (["debezium"], "formats", ["a slug of your own"]),
    "no_slug": (["acme_json", "Acme JSON"], "formats", ["a slug of your own"]),
}
EPOCHS = {
    "not_a_list": ({"topic": "a"}, "sequence_resets", ["a list of lines"]),
    "text_offset": (
        [{"topic": "a", "partition": 0, "offset": "81234"}],
        "sequence_resets[entry 1: a].offset",
        ["a whole number"],
    ),
    "no_partition": ([{"topic": "a", "offset": 1}], "sequence_resets[entry 1: a].partition", []),
    "negative_partition": (
        [{"topic": "a", "partition": -1, "offset": 1}],
        "sequence_resets[entry 1: a].partition",
        ["a whole number"],
    ),
    "boolean_offset": (
        [{"topic": "a", "partition": 0, "offset": True}],
        "sequence_resets[entry 1: a].offset",
        ["a whole number"],
    ),
    "glob": (
        [{"topic": "a*", "partition": 0, "offset": 1}],
        "sequence_resets[entry 1: a*].topic",
        ["a topic name"],
    ),
}
OTHERS = {
    "negative": ("lookback_days", -1, ["a whole number"]),
    "text": ("lookback_days", "30", ["a whole number"]),
    "boolean": ("lookback_days", True, ["a whole number"]),
    "huge": ("lookback_days", 10**30, ["a whole number"]),
    "share_is_text": ("compaction_threshold", "0.2", ["a number"]),
    "negative_share": ("compaction_threshold", -1, ["a number"]),
    "formats_is_text": ("formats", "acme_json", ["a list of slugs"]),
    "silence_factor_is_text": ("silence_factor", "2", ["a number from 1"]),
    "silence_factor_below_one": ("silence_factor", 0.5, ["0, or a number from 1"]),
    "unknown_on_held": ("on_held", "error", ["warn", "fail"]),
    "misspelt": ("replay", "al", ["all", "quarantine"]),
    "no_glob": ("replay", ["drs_crm", "a b"], ["a glob"]),
}
WRONG = [
    pytest.param({setting: value}, named, valid, id=f"{setting}.{name}")
    for setting, cases in [
        ("topics", TOPICS),
        ("tables", TABLES),
        ("sequence_resets", EPOCHS),
        ("raw_column_mapping", MAPPED),
        ("formats", FORMATS_OF_OWN),
    ]
    for name, (value, named, valid) in cases.items()
] + [
    pytest.param({setting: value}, setting, valid, id=f"{setting}.{name}")
    for name, (setting, value, valid) in OTHERS.items()
]

RIGHT = {
    "without_values": {"topics": None, "tables": None, "sequence_resets": None},
    "as_documented": {
        "topics": [
            {
                "topic": "drs_*",
                "format": "huawei_drs_json",
                "source": "crm",
                "timezone": "Asia/Shanghai",
            },
            {"topic": ["legacy", "old_*"], "format": "auto"},
            {"topic": "shop_orders", "format": "alibaba_dataworks", "key": ["id"]},
        ],
        "tables": [
            {
                "table": "inventory.customers",
                "key": ["id"],
                "on_truncate": "apply",
                "on_drop": "keep",
                "on_rename": "keep",
                "on_snapshot": "upsert",
                "on_tombstone": "ignore",
                "order_by": "sequence",
                "column_types": {"price": "decimal(10,2)"},
                "database_type": "mysql",
                "hold": True,
            },
        ],
        "on_held": "fail",
        "sequence_resets": [
            {"topic": "drs_crm", "partition": 0, "offset": 81234, "topic_incarnation": 1}
        ],
    },
    "one_format_from_two_sources_and_odd_names": {
        "topics": [
            {
                "topic": "eu/orders.v2-new_?",
                "format": "debezium",
                "source": 'it\'s "odd" \\ {{ x }} 库',
                "timezone": "+08:00",
                "replica_identity": "full",
            },
            {
                "topic": "us/*",
                "format": "debezium",
                "source": "us",
                "timezone": "UTC",
                "key": ["o'clock", 'a"b', "a`b", "列", " "],
            },
            {"topic": ["x", "y"]},
            {"topic": "*", "format": "auto", "timezone": "America/Argentina/Buenos_Aires"},
        ],
        "tables": [
            {"table": "sho?.dbo.o'*", "source": "us", "key": ["id"], "order_by": "kafka_timestamp"},
            {"table": "*", "on_truncate": "keep"},
        ],
        "sequence_resets": [{"topic": "eu/orders.v2-new_1", "partition": 12, "offset": 0}],
        "lookback_days": 0,
        "compaction_threshold": 1,
    },
    "a_raw_table_of_another_tool": {
        "raw_schema": "sink",
        "raw_table": "orders",
        "raw_column_mapping": {"landing_batch": "unix_seconds(`timestamp`) div 3600"},
    },
}


MODELS = "".join(
    (HOME / "models" / name).read_text(encoding="utf-8")
    for name in ("parsed/events.sql", "marts/current_rows.sql")
)
READS_EVERY_SETTING = (
    MODELS
    + "{{ get_on_held() }} {{ get_silence_factor() }} {{ get_pending_batches('events') }} "
    + "{{ get_lookback_condition() }} "
    + "{{ should_merge(get_merge_coverage('events', none, []), none) }}"
)


class Dbt:
    """dbt in this process, for its errors only."""

    def __init__(self, project, folder):
        self.arguments = [
            "--project-dir",
            str(project),
            "--target-path",
            str(folder / "target"),
            "--log-path",
            str(folder / "logs"),
        ]
        self.manifest = None

    def parse(self, settings):
        """Return what `dbt parse` prints, or none where it passes; keep what it parsed."""
        result, printed = self.run(dbtRunner(), ["parse"], settings)
        self.manifest = result.result if result.success else None
        return None if result.success else printed

    def parse_inline(self, sql, settings):
        """Return what dbt prints about a query of its own, in the project as it was parsed last."""
        result, printed = self.run(
            dbtRunner(manifest=self.manifest),
            ["compile", "--no-populate-cache", "--no-introspect", "--inline", sql],
            settings,
        )
        self.manifest.nodes.pop(
            "sql_operation.kafka_cdc.inline_query", None
        )  # remains if it parses
        return None if result.success or "Error parsing inline query" not in printed else printed

    def run(self, runner, arguments, settings):
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            result = runner.invoke(
                ["--quiet", *arguments, *self.arguments, "--vars", json.dumps(settings)]
            )
        return result, f"{printed.getvalue()}\n{result.exception}"


@pytest.fixture(scope="module")
def dbt(tmp_path_factory):
    """The project, parsed with settings as the documentation shows them."""
    dbt = Dbt(HOME, tmp_path_factory.mktemp("dbt"))
    assert dbt.parse(RIGHT["as_documented"]) is None
    return dbt


def line_of(printed):
    """Return the one line of the project's own in what dbt prints."""
    assert printed, "dbt parse passes"
    lines = {
        line.strip() for line in printed.splitlines() if line.strip().startswith("kafka_cdc: ")
    }
    assert len(lines) == 1, printed
    return lines.pop()


def check_line(printed, named, valid):
    line = line_of(printed)
    assert line.startswith(f"kafka_cdc: the setting {named} is ")
    valid_values = line.split("; valid: ", 1)[1]
    assert [value for value in valid if value not in valid_values] == []
    assert re.search(r"\. Hint: \S", line)


@pytest.mark.parametrize(("settings", "named", "valid"), WRONG)
def test_an_invalid_setting_is_named(dbt, settings, named, valid):
    check_line(dbt.parse_inline(READS_EVERY_SETTING, settings), named, valid)


@pytest.mark.parametrize(
    "line",
    [
        {"format": "debezium"},  # its messages name their stream
        pytest.param({"format": "google_datastream"}, marks=long),
        {"format": "qlik_replicate"},  # the topic names the table
        pytest.param({"format": "plain_rows"}, marks=long),
        custom()[0],
    ],
)
def test_entries_of_a_format_need_no_source_if_their_tables_differ(dbt, line):
    topics = [{**line, "topic": "a"}, {**line, "topic": "b"}]
    assert dbt.parse_inline(READS_EVERY_SETTING, {"topics": topics}) is None


@pytest.mark.parametrize(
    "name",
    [
        "topics.misspelt_format",
        pytest.param("lookback_days.negative", marks=long),
        pytest.param("replay.misspelt", marks=long),
    ],
)
def test_an_invalid_setting_stops_parse(name, tmp_path):
    settings, named, valid = next(case.values for case in WRONG if case.id == name)
    check_line(Dbt(HOME, tmp_path).parse(settings), named, valid)


def test_settings_of_a_run_leave_the_graph(tmp_path):
    """The tests parse the project once for all values of these settings (conftest.py)."""
    table = {"table": "*", "hold": True, "on_rename": "apply", "columns": {"a": {"mask": "hash"}}}
    values = {
        "topics": [{"topic": "*", "format": "canal", "expect": {"max_lag": "1m"}}],
        "tables": [{**table, "on_tombstone": "delete", "on_snapshot": "replace"}],
        "sequence_resets": [{"topic": "a", "partition": 0, "offset": 1}],
        "replay": "all",
        "compaction_threshold": 0,
        "lookback_days": 60,
        "check_in_run": True,
    }
    assert values.keys() == set(OF_A_RUN)
    without, with_values = (parse_graph(tmp_path, settings) for settings in ({}, values))
    changelog = with_values["model.kafka_cdc.changelog"]["config"]["meta"].pop("shared_settings")
    expected = {name: values[name] for name in SHARED} | {"formats": [], "raw_column_mapping": {}}
    assert changelog == expected
    del without["model.kafka_cdc.changelog"]["config"]["meta"]["shared_settings"]
    assert with_values == without


def parse_graph(folder, settings):
    """Return what dbt parses of each node: its configuration, and what it depends on."""
    paths = ["--target-path", f"{folder}/target", "--log-path", f"{folder}/logs"]
    options = ["--no-partial-parse", "--no-write-json", "--vars", json.dumps(settings)]
    parsed = dbtRunner().invoke(["--quiet", "parse", "--project-dir", str(HOME), *paths, *options])
    assert parsed.success, parsed.exception
    return {
        name: {"config": node.config.to_dict(), "nodes": getattr(node.depends_on, "nodes", [])}
        for name, node in parsed.result.nodes.items()
    }


@long
@pytest.mark.parametrize("name", sorted(set(RIGHT) - {"as_documented"}))
def test_valid_settings_pass_parse(name, tmp_path):
    assert Dbt(HOME, tmp_path).parse(RIGHT[name]) is None


SLIPS = {
    "lacks_a_column": (
        "do format.columns.pop('image')",
        "format lacks_a_column lacks the column image",
    ),
    "has_a_column_more": (
        "do format.columns.update({'color': 'null'})",
        "format has_a_column_more has the column color",
    ),
    "has_a_column_of_the_contract": (
        "do format.columns.update({'row_key': 'null'})",
        "format has_a_column_of_the_contract has the column row_key",
    ),
    "lacks_an_entry": (
        "do format.pop('required')",
        "format lacks_an_entry lacks the entry required",
    ),
    "has_an_entry_more": (
        "do format.update({'reject': []})",
        "format has_an_entry_more has the unknown entry reject",
    ),
    "lacks_what_it_reads": (
        "do format.pop('fields')",
        "format lacks_what_it_reads lacks the entry fields",
    ),
    "reads_twice": (
        "do format.update({'read': 'null'})",
        "format reads_twice has both fields and read",
    ),
    "has_other_frames": (
        "do format.update({'frames': {'condition': 'true'}})",
        "format has_other_frames has the entry frames in another form than documented",
    ),
    "has_an_unknown_word": (
        "do map_operation('op', {'c': 'inserted'})",
        "unknown operation inserted",
    ),
}


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the project with formats that have slips, registered nowhere."""
    project = tmp_path_factory.mktemp("project") / "kafka_cdc"
    for folder in ("macros", "models", "seeds", "tests/singular"):
        if (HOME / folder).exists():
            shutil.copytree(HOME / folder, project / folder)
    shutil.copy(HOME / "dbt_project.yml", project)
    for name, (slip, _) in SLIPS.items():
        macro = (
            "{% macro format_"
            + name
            + "() %}{% set format = format_debezium() %}{% "
            + slip
            + " %}{{ return(format) }}{% endmacro %}"
        )
        (project / "macros" / "formats" / f"{name}.sql").write_text(macro, encoding="utf-8")
    dbt = Dbt(project, project.parent)
    assert dbt.parse({}) is None
    return dbt, project / "macros" / "formats" / "format_list.sql"


@pytest.mark.parametrize(
    ("slug", "problem"),
    [(name, problem) for name, (_, problem) in SLIPS.items()]
    + [("unwritten", "no macro format_unwritten")],
)
def test_a_mistake_in_a_format_is_named(copied, slug, problem):
    line = line_of(copied[0].parse_inline("{{ select_flattened_messages(['" + slug + "']) }}", {}))
    assert line.startswith("kafka_cdc: ")
    assert problem in line
    assert re.search(r"\. Hint: \S", line)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("on_helt", "; write on_held"),
        ("topic", "; write topics"),
        ("onHeld", "; write on_held"),
        ("raw-schema", "; write raw_schema"),
        ("color", "; remove it from vars: kafka_cdc:"),
    ],
)
def test_a_misspelt_setting_is_named(copied, name, hint):
    """Names of other packages and of the project itself are not kafka_cdc's."""
    file = copied[1].parents[2] / "dbt_project.yml"
    settings = file.read_text(encoding="utf-8")
    try:
        for line in (f"  kafka_cdc:\n    {name}: 1\n", f"  {name}: 1\n  other:\n    {name}: 1\n"):
            is_own = "kafka_cdc" in line
            text = settings.replace("  kafka_cdc:\n    topics: []\n", f"{line}    topics: []\n", 1)
            if not is_own:
                text = settings.replace("vars:\n", f"vars:\n{line}")
            assert text != settings
            file.write_text(text, encoding="utf-8")
            printed = copied[0].parse_inline("{{ check_setting_names() }}", {})
            if is_own:
                check_line(printed, name, ["topics", "replay"])
                assert line_of(printed).endswith(hint)
            else:
                assert printed is None
    finally:
        file.write_text(settings, encoding="utf-8")


def test_a_date_in_a_setting_is_named(dbt):
    """YAML reads 2026-01-31 as a date, which JSON does not have."""
    date = "modules.datetime.date(2026, 1, 31)"
    call = f"raise_setting_error('topics[entry 1: a].source', {date}, 'a text', 'put it in quotes')"
    assert line_of(dbt.parse_inline("{{ " + call + " }}", {})) == (
        'kafka_cdc: the setting topics[entry 1: a].source is "2026-01-31"; valid: a text.'
        " Hint: put it in quotes"
    )
    nested = call.replace(date, f"[{{'a': {date}}}]")
    assert "topics[entry 1: a].source is \"[{'a': datetime.date(2026, 1, 31)}]\"; valid" in line_of(
        dbt.parse_inline("{{ " + nested + " }}", {})
    )


def test_settings_of_the_option_vars_have_no_section(dbt):
    """dbt would ignore them."""
    printed = dbt.parse_inline("{{ check_setting_names() }}", {"kafka_cdc": {"on_held": "fail"}})
    assert line_of(printed) == (
        "kafka_cdc: --vars has settings under kafka_cdc, which dbt does not read there."
        """ Hint: write them without it: --vars '{"on_held": "fail"}'"""
    )


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (
            "explain_row(table_name='a.b', key={'id': 1})",
            "explain_row has no argument table_name; it has table, key,",
        ),
        ("explain_row(table='a.b')", "explain_row needs the argument key"),
        ("erase_row()", "erase_row needs the argument table"),
        (
            "erase_row(table='a.b', key={'id': 1}, dry_run=true)",
            "erase_row has no argument dry_run",
        ),
        ("erase_data_subject(key={'id': 1})", "erase_data_subject needs the argument table"),
        ("erase_data_subject('a.b', {'id': 1}, dry_run='false')", 'dry_run is "false"'),
        ("erase_messages()", "erase_messages needs the argument messages"),
        ("maintain_tables(days=5)", "maintain_tables has no argument days; it has keep_days"),
        ("generate_table_model(part='yml')", "generate_table_model needs the argument table"),
    ],
)
def test_a_mistake_in_the_arguments_of_an_operation_is_named(dbt, call, problem):
    line = line_of(dbt.parse_inline("{{ " + call + " }}", {}))
    assert line.startswith(f"kafka_cdc: {problem}")
    assert re.search(r"\. Hint: \S", line)


def test_a_mistake_in_a_registered_format_stops_parse(copied, tmp_path):
    project, registry = copied[1].parents[2], copied[1]
    registry.write_text(
        registry.read_text(encoding="utf-8").replace(
            "'debezium',", "'debezium', 'lacks_a_column',"
        ),
        encoding="utf-8",
    )
    (project / "models" / "staging" / "stg_lacks_a_column__events.sql").write_text(
        "select 1", encoding="utf-8"
    )
    assert SLIPS["lacks_a_column"][1] in line_of(Dbt(project, tmp_path).parse({}))
