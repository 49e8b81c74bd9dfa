"""Errors of the machine, of Java and of Spark are one line with cause and hint. Needs no Spark."""

import argparse
import ast
import errno
import os
import re
import signal
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
import yaml
from dbt_common.clients.jinja import get_environment

from conftest import HOME
from kafka_cdc import build, cli, environment, errors, session, typed_models, warm_session
from kafka_cdc.errors import LandingError
from kafka_cdc.files import landing
from kafka_cdc.kafka import client, config, topics
from kafka_cdc.report import queries

JAVA = """An error occurred while calling o61.sql.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 failed
\tat org.apache.spark.scheduler.DAGScheduler.failJob(DAGScheduler.scala:2898)
\tat java.base/java.lang.Thread.run(Thread.java:840)
Caused by: {cause}
\tat org.apache.iceberg.hadoop.HadoopInputFile.newStream(HadoopInputFile.java:187)
\t... 12 more
"""
DBT = "Runtime Error in model events (models/parsed/events.sql)\n  "


@pytest.mark.parametrize(
    ("cause", "problem"),
    [
        ("java.lang.OutOfMemoryError: Java heap space", "Spark ran out of memory"),
        ("java.io.IOException: No space left on device", "the disk is full"),
        (
            "[SQLITE_READONLY] Attempt to write a readonly database",
            "the lake cannot be written",
        ),
        (
            "java.io.FileNotFoundException: /lake/raw/data/1.parquet (Permission denied)",
            "the lake cannot be written",
        ),
        (
            "[SQLITE_CORRUPT] The database disk image is malformed",
            "catalog.db of the lake is damaged",
        ),
        (
            "org.apache.iceberg.exceptions.NotFoundException: Failed to open input stream for"
            " file: /lake/raw/kafka_messages/metadata/2.metadata.json",
            "a file of the lake is missing",
        ),
        (
            "java.lang.ClassNotFoundException: org.apache.iceberg.spark.SparkCatalog",
            "a jar of Spark is missing or damaged",
        ),
    ],
)
def test_a_stack_trace_becomes_its_known_cause(cause, problem):
    for text in (JAVA.format(cause=cause), DBT + JAVA.format(cause=cause)):
        line = errors.condense(text)
        assert problem in line and re.search(r"\. Hint: \S", line) and "\n" not in line
        assert "Exception" not in line and "org.apache" not in line


def test_an_unknown_stack_trace_becomes_its_innermost_cause():
    line = errors.condense(DBT + JAVA.format(cause="java.io.IOException: it is broken"))
    assert line == "java.io.IOException: it is broken"


def test_what_dbt_adds_to_an_error_is_left_out():
    text = """Compilation Error in model events (models/parsed/events.sql)
  kafka_cdc: raw.kafka_messages does not exist. Hint: land messages first

  > in macro raise_error (macros/utils/raise_error.sql)
  > called by model events (models/parsed/events.sql)"""
    assert errors.condense(text) == (
        "kafka_cdc: raw.kafka_messages does not exist. Hint: land messages first"
    )
    assert errors.condense("Compilation Error") == "Compilation Error"


def test_dbt_knows_the_same_causes():
    """The macro is a copy, because dbt reads no Python."""
    file = HOME / "macros" / "monitoring" / "get_known_causes.sql"
    found = []
    template = get_environment(None, capture_macros=False).from_string(
        file.read_text(encoding="utf-8") + "{{ dbt_macro__get_known_causes() }}"
    )
    template.render({"return": lambda causes: found.extend(causes) or ""})
    assert found == [
        {"pattern": known.pattern, "problem": known.problem, "hint": known.hint}
        for known in errors.KNOWN_CAUSES
    ]


@pytest.mark.parametrize(
    ("number", "hint"),
    [(errno.ENOSPC, "free space"), (errno.EACCES, "let this user write"), (errno.EROFS, "another")],
)
def test_an_error_of_a_file_names_it(number, hint):
    line = errors.reason(OSError(number, os.strerror(number), "/reports/page.html"))
    assert line.startswith(f"/reports/page.html: {os.strerror(number)}. Hint: ") and hint in line
    assert errors.reason(FileExistsError(errno.EEXIST, "File exists", "/a")) == "/a: File exists"


@pytest.mark.parametrize(
    "heap", ["nonsense", "300m", "2", "2 g", "1.5g", "-2g", "0g", "2147483648"]
)
def test_a_heap_that_spark_cannot_use_is_named(heap, monkeypatch):
    monkeypatch.setenv("KAFKA_CDC_MEMORY", heap)
    with pytest.raises(LandingError, match=r"^KAFKA_CDC_MEMORY is '.*'\. Hint: .* at least 512m"):
        session.check_heap()


@pytest.mark.parametrize("heap", ["512m", "2g", "3G"])
def test_other_heaps_pass(heap, monkeypatch):
    monkeypatch.setenv("KAFKA_CDC_MEMORY", heap)
    session.check_heap()


def test_missing_jars_name_the_command(tmp_path):
    with pytest.raises(
        LandingError, match=rf"^{tmp_path}/.jars has no jars. Hint: run `make setup`"
    ):
        session.check_jars(f"{tmp_path}/.jars/*")
    (tmp_path / "one.jar").touch()
    session.check_jars(f"{tmp_path}/*")
    session.check_jars("")


def test_a_lake_that_is_no_folder_is_named(tmp_path):
    file = tmp_path / "file"
    file.touch()
    for lake in (file, file / "lake"):
        with pytest.raises(
            LandingError, match=rf"^the lake cannot be created: {file}.*: .* Hint: "
        ):
            session.prepare_lake(lake)


@pytest.mark.parametrize("lake", ["~/lake", "/tmp/a?b", '/tmp/a"b', "/tmp/a\\b", "/tmp/a\nb"])
def test_a_lake_that_java_would_read_as_another_path_is_an_error(lake, monkeypatch):
    monkeypatch.setenv("KAFKA_CDC_LAKE", lake)
    with pytest.raises(LandingError, match="^KAFKA_CDC_LAKE is .* Hint: write the whole path"):
        environment.lake_folder()
    monkeypatch.setenv("KAFKA_CDC_LAKE", "/tmp/a b'c#d%20é;[x]$y~")
    assert str(environment.lake_folder()) == "/tmp/a b'c#d%20é;[x]$y~"


def test_a_target_of_the_other_table_format_is_an_error(monkeypatch):
    environment.prepare()
    for target, other in (("local", "delta"), ("local_delta", "iceberg")):
        monkeypatch.setenv("KAFKA_CDC_TARGET", target)
        monkeypatch.setenv("KAFKA_CDC_FILE_FORMAT", other)
        with pytest.raises(
            LandingError, match=f"^the target is {target}, but .* is {other}. Hint:"
        ):
            session.read_spark_settings()


def test_an_unknown_target_names_those_that_exist(monkeypatch):
    environment.prepare()
    monkeypatch.setenv("KAFKA_CDC_TARGET", "nonsense")
    with pytest.raises(LandingError, match="no target 'nonsense'. Hint: set KAFKA_CDC_TARGET to"):
        session.read_profile()


def test_empty_variables_are_unset_variables(monkeypatch):
    for name in ("TARGET", "SCHEMA", "FILE_FORMAT", "MEMORY"):
        monkeypatch.setenv(f"KAFKA_CDC_{name}", "")
    environment.prepare()
    outputs, target = session.read_profile()
    assert target == "local" and session.render(outputs["local"]["schema"]) == "cdc"
    heap = outputs["local"]["server_side_parameters"]["spark.driver.memory"]
    assert session.render(heap) == "1536m"
    server = {"host": "localhost", "auth": "NONE", "user": "kafka_cdc"}
    for name, default in server.items():
        monkeypatch.setenv(f"KAFKA_CDC_THRIFT_{name.upper()}", "")
        assert session.render(outputs["cluster"][name]) == default


def test_a_damaged_catalog_is_named(tmp_path):
    catalog = tmp_path / "catalog.db"
    catalog.write_bytes(b"this is no database" * 100)
    with pytest.raises(LandingError, match=rf"^{catalog}: the file catalog.db .* Hint: restore"):
        session.has_catalog(catalog)
    catalog.write_bytes(b"")
    assert not session.has_catalog(catalog)
    session.check_no_tables(catalog)
    file = tmp_path / "raw" / "kafka_messages" / "metadata" / "1.metadata.json"
    file.parent.mkdir(parents=True)
    file.touch()
    with pytest.raises(LandingError, match=rf"but {catalog} is missing or empty. Hint: restore"):
        session.check_no_tables(catalog)


@pytest.mark.parametrize(
    ("version", "found"),
    [
        ("1.8.0_392", "is Java 8"),
        ("11.0.2", "is Java 11"),
        ("25", "is Java 25"),
        ("", "is missing"),
    ],
)
def test_a_java_that_spark_does_not_support_is_named(version, found, tmp_path):
    java = tmp_path / "bin" / "java"
    if version:
        java.parent.mkdir()
        java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\nexit 1\n")
        java.chmod(0o755)
    variables = os.environ | {"JAVA_HOME": str(tmp_path), "KAFKA_CDC_LAKE": str(tmp_path / "lake")}
    file = tmp_path / "a.jsonl"
    file.touch()
    done = subprocess.run(
        [sys.executable, "-m", "kafka_cdc", "land", "files", str(file)],
        env=variables,
        text=True,
        capture_output=True,
    )
    assert done.returncode == 1 and done.stderr == (
        f"error: Spark did not start: kafka_cdc needs Java 17 or 21; '{java}' {found}. Install it:"
        " apt install openjdk-17-jre-headless, brew install openjdk@17 or adoptium.net;"
        " then set JAVA_HOME\n"
    )


def test_a_link_that_leads_to_itself_rejects_one_file(tmp_path):
    (tmp_path / "good.jsonl").touch()
    for name in ("loop.jsonl", "broken.jsonl"):
        (tmp_path / name).symlink_to("loop.jsonl" if name == "loop.jsonl" else "nothing")
    problems = [file.error for file in landing.find([tmp_path], "")]
    assert problems == [
        f"{tmp_path}/broken.jsonl: No such file or directory",
        None,
        f"{tmp_path}/loop.jsonl: Too many levels of symbolic links",
    ]


def test_ports_and_times_that_would_mean_something_else():
    for port in ("0", "65536", "-1", "x", ""):
        with pytest.raises(argparse.ArgumentTypeError, match="not a port from 1 to 65535"):
            cli.parse_port(port)
    for time in ("0", "-1s", "1d", "", "8761h", f"{'9' * 400}h"):
        with pytest.raises(argparse.ArgumentTypeError, match="longer than 0 and up to 8760h"):
            cli.parse_seconds(time)
    assert cli.parse_seconds("8760h") == 365 * 24 * 3600
    # Kafka reads -1 as the end of the topic.
    assert cli.parse_starting_offsets("1969-12-31T23:59:59.999Z") == 0


def test_a_project_without_its_file_does_not_land_binary_topics_as_text(tmp_path, monkeypatch):
    """Messages keep the encoding that they landed with."""
    file = tmp_path / "dbt_project.yml"
    monkeypatch.setenv("DBT_PROJECT_DIR", str(tmp_path))
    with pytest.raises(LandingError, match=f"{file}: No such file .* Hint: set DBT_PROJECT_DIR"):
        topics.get_binary_condition(None)
    file.write_bytes(b"vars: \xff")
    with pytest.raises(LandingError, match=f"{file}: the setting topics cannot be read"):
        topics.get_binary_condition(None)
    monkeypatch.delenv("DBT_PROJECT_DIR")
    monkeypatch.setenv("KAFKA_CDC_HOME", str(tmp_path / "missing"))
    assert not topics.get_binary_condition(None)("orders")


def test_a_topic_that_changes_during_an_inspection_is_the_cause():
    assert errors.reason(client.TopicsChanged()).startswith("a topic was deleted or recreated")


def test_globs_without_a_topic_are_found():
    assert topics.find_unmatched(["orders", "ordrs", "o*"], ["orders"]) == ["ordrs"]


def test_a_reader_that_ends_early_is_no_error_of_java():
    """The pipe of stdout is broken, and not the connection to the JVM."""
    code = (
        "import sys; from kafka_cdc import cli; cli.run_metrics = lambda _: print('x' * 9999) or 0;"
        "sys.exit(cli.main(['metrics']))"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == f"error: {cli.READER_ENDED}\n" and process.wait() == 1


def test_a_path_that_may_not_be_read_is_named(tmp_path, monkeypatch):
    """root may read every folder, so the error is that of another user."""

    def fail(path):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", fail)
    with pytest.raises(LandingError, match=f"^{tmp_path}: Permission denied. Hint: .* may read"):
        landing.find([tmp_path], "")


def test_a_named_file_without_the_suffix_is_rejected(tmp_path):
    """Other files of a folder are ignored, but nobody names a file that is not to land."""
    for name in ("orders.jsonl", "more.json", "notes.txt"):
        (tmp_path / name).touch()
    assert [file.error for file in landing.find([tmp_path], "")] == [None]
    more = tmp_path / "more.json"
    files = landing.find([tmp_path / "orders.jsonl", more, more], "")
    assert [(file.index, file.error) for file in files] == [
        (0, None),
        (1, f"{more}: the name does not end in .jsonl. Hint: rename the file, or leave it out"),
    ]
    assert [[file.path.name for file in group] for group in landing.divide(files)] == [
        ["orders.jsonl"]
    ]


def test_a_file_that_cannot_be_replaced_is_named(tmp_path):
    """The new content has a temporary name, which nobody knows."""
    with pytest.raises(OSError) as error:
        os.replace(tmp_path / "missing", tmp_path / "page.html")
    assert errors.reason(error.value).startswith(f"{tmp_path}/page.html: No such file")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("kafka_cdc: {target: '{{ bad', outputs: {a: {}}}", r"in '\{\{ bad'. Hint: correct"),
        ("kafka_cdc: {target: a, outputs: {a: }}", "has no target 'a'. Hint: set"),
        (
            "kafka_cdc: {target: a, outputs: {a: {landing: b}, b: }}",
            "has no target 'b'. Hint: set",
        ),
        ("kafka_cdc: {target: a, outputs: [a]}", "no usable profile kafka_cdc: .* Hint: set"),
        ("kafka_cdc: \xff", "no usable profile kafka_cdc: .* Hint: set"),
    ],
)
def test_an_invalid_profile_is_named(text, problem, tmp_path, monkeypatch):
    file = tmp_path / "profiles.yml"
    file.write_bytes(text.encode("latin-1"))
    monkeypatch.setenv("DBT_PROFILES_DIR", str(tmp_path))
    with pytest.raises(LandingError, match=f"^{file}.*{problem}"):
        session.read_profile()


@pytest.mark.parametrize("text", ["[]", "vars: [", "model-paths: models", "name: \xff", ""])
def test_an_invalid_project_is_left_to_dbt(text, tmp_path, monkeypatch):
    """dbt names what is wrong. A loop compares the files of the project before each build."""
    (tmp_path / "dbt_project.yml").write_bytes(text.encode("latin-1"))
    monkeypatch.setenv("DBT_PROJECT_DIR", str(tmp_path))
    assert str(tmp_path / "dbt_project.yml") in build.fingerprint()


def test_dates_in_the_option_vars_are_kept():
    """YAML has dates, also as names. dbt rejects them where it needs a text."""
    settings = build.add_settings("{since: 2026-01-31, 2026-02-01: a}", {"raw_schema": "landing"})
    expected = {"since": date(2026, 1, 31), date(2026, 2, 1): "a", "raw_schema": "landing"}
    assert yaml.safe_load(settings) == expected


def test_an_incomplete_file_of_dbt_is_named(tmp_path):
    file = tmp_path / "manifest.json"
    assert queries.read_json(file) == {}
    file.write_text('{"nodes": ')
    with pytest.raises(LandingError, match=f"^{file} is incomplete. Hint: if dbt runs"):
        queries.read_json(file)


def test_a_missing_properties_file_names_the_variable(tmp_path, monkeypatch):
    file = tmp_path / "client.properties"
    monkeypatch.setenv("KAFKA_CDC_KAFKA_PROPERTIES", str(file))
    with pytest.raises(
        LandingError, match=f"^{file}: No such file .* Hint: .* KAFKA_CDC_KAFKA_PROPERTIES"
    ):
        config.read_file(None)


@pytest.mark.parametrize(
    ("level", "has_log"), [("", False), ("off", False), ("OFF", False), ("warn", True)]
)
def test_the_log_of_spark_is_off_unless_a_level_is_set(level, has_log, monkeypatch):
    """off is the documented default, so that it hides the output of Java too."""
    monkeypatch.setenv("KAFKA_CDC_LOG_LEVEL", level)
    assert environment.has_spark_log() == has_log


def test_a_typed_model_that_is_no_text_is_named(tmp_path):
    file = tmp_path / "shop_orders.sql"
    file.write_bytes(b"\xff")
    with pytest.raises(LandingError, match=f"^{file} is not UTF-8 text. Hint: "):
        typed_models.read_text(file)


def test_an_interrupted_start_leaves_no_session(tmp_path, monkeypatch):
    """The server is in a process group of its own, which Ctrl-C does not reach."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])

    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setenv("KAFKA_CDC_LAKE", str(tmp_path))
    monkeypatch.setattr(warm_session.subprocess, "Popen", lambda *_, **__: process)
    monkeypatch.setattr(warm_session, "read_state", interrupt)
    with pytest.raises(KeyboardInterrupt):
        warm_session.launch(0)
    assert process.wait(10) == -signal.SIGTERM


@pytest.mark.rules
def test_an_error_has_a_hint_or_the_text_of_another_error():
    """STYLE.md: what is wrong, then `Hint:`. A text that ends with a value may have its hint."""
    raised, without = 0, []
    for file in sorted((HOME / "src").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Raise) or not isinstance(node.exc, ast.Call):
                continue
            if ast.unparse(node.exc.func) != "LandingError":
                continue
            raised += 1
            [text] = node.exc.args
            parts = text.values if isinstance(text, ast.JoinedStr) else [text]
            written = "".join(part.value for part in parts if isinstance(part, ast.Constant))
            if isinstance(parts[-1], ast.Constant) and "Hint: " not in written:
                without.append(f"{file.relative_to(HOME)}:{node.lineno}: {written}")
    assert raised > 50 and without == []
