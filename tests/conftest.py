"""One Spark session, one lake and one process for every test that runs dbt: a dbt run costs a second instead of ten."""

import dataclasses
import gc
import json
import os
import random
import sys
import tempfile
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
LAKE = tempfile.TemporaryDirectory(prefix="kafka_cdc_test_", ignore_cleanup_errors=True)
os.environ["KAFKA_CDC_LAKE"] = LAKE.name  # before anything reads it
os.environ.setdefault("KAFKA_CDC_MEMORY", "3g")
MASK_SECRET = "a-secret-of-the-tests-ä"
os.environ["KAFKA_CDC_MASK_SECRET"] = MASK_SECRET  # Spark's JVM inherits it
os.environ["PYSPARK_PYTHON"] = sys.executable

import chromium as chromium_packages
import pytest
from dbt.cli.main import dbtRunner
from dbt_common.clients.jinja import MacroFuzzEnvironment
from dbt_common.tests import enable_test_caching
from pyspark import SparkContext

from kafka_cdc import environment, session
from kafka_cdc.tables import raw as table
from kafka_cdc.tables import table_format

environment.prepare()
SAMPLES = HOME / "examples" / "samples"
CASES = HOME / "tests" / "cases"
# For processes that land or build once: Java's C2 compiler takes longer than it saves.
SHORT_RUN = {
    "KAFKA_CDC_CLASSES": f"-XX:SharedArchiveFile={HOME}/.jars/spark.jsa -XX:TieredStopAtLevel=1"
    " -XX:ReservedCodeCacheSize=240m"  # the default without C2, 48 MB, is full after a few builds
}
iceberg = pytest.mark.iceberg_only
long = pytest.mark.slow


def long_except(short, cases):
    """Return parameters. `make test` runs those at the positions `short`, `make test-long` all."""
    return [
        case if at in short else pytest.param(*case, marks=long) for at, case in enumerate(cases)
    ]


# The samples of formats that differ most. To plan the SQL of all formats takes a minute: where the
# golden cases and rejections check each format, `make test` is content with these.
FEW_SAMPLES = {
    "alibaba_dts_avro": "dts_avro_inventory.jsonl",
    "canal": "inventory_customers.jsonl",
    "debezium": "shop.kcat.jsonl",
    "debezium_mongodb": "docs.kcat.jsonl",
    "goldengate": "ogg_inventory.jsonl",
    "tencent_ckafka": "ckafka-inventory.jsonl",
}
MESSAGE_SCHEMA = (
    "topic string, partition int, offset bigint, timestamp timestamp, key string, value string, "
    "headers array<struct<key: string, value: binary>>, landed_at timestamp, landing_batch bigint, topic_incarnation int"
)


# The markers of a folder's tests; pyproject.toml describes each marker. A file adds others by its own `pytestmark`.
# What does not depend on the table format runs on Delta by `make test-delta` only: the meaning of a
# message (golden cases, difficult streams), warnings, and the warm session.
FOLDER_MARKERS = {
    "airflow": ["airflow"],
    "cluster": ["cluster"],
    "decode": ["decoders"],
    "docs": ["docs"],
    "end_to_end": ["end_to_end", "sources"],
    "golden": ["golden"],
    "integration": ["integration"],
    "landing": ["landing"],
    "project": ["project"],
    "property": ["property"],
}


def pytest_addoption(parser):
    """Add the option that `make test-long` uses."""
    parser.addoption(
        "--long",
        action="store_true",
        help="also run the tests marked slow and sources, and repeat property tests more often",
    )


def pytest_configure(config):
    """Tell test modules about --long before they are imported, because it decides how many cases they generate."""
    if config.getoption("--long"):
        os.environ["KAFKA_CDC_LONG"] = "1"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark each test by its folder, then deselect what this run must not run."""
    for item in items:
        for marker in FOLDER_MARKERS.get(item.path.relative_to(HOME / "tests").parts[0], []):
            item.add_marker(marker)
    wanted = [item for item in items if is_wanted(config, item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(wanted)])
    items[:] = sorted(wanted, key=order_of)


# The files that take longest, in order. Two processes that start with them end at about the same time.
# The DAG and the cluster have several JVMs each, so that another file comes between them.
LONGEST_FILES = [
    "airflow/test_dag.py",
    "golden/test_cases.py",
    "cluster/test_cluster.py",
    "integration/test_erase_data_subject.py",
    "landing/test_loop.py",
    "docs/test_site.py",
    "property/test_state_rules.py",
    "landing/test_kafka.py",
    "integration/test_monitoring.py",
    "golden/test_rejections.py",
    "integration/test_engines_read_typed_tables.py",
    "integration/test_typed_tables_change.py",
    "integration/test_warm_session.py",
    "integration/test_runs.py",
    "property/test_poison.py",
    "integration/test_typed_tables_follow_publication.py",
    "property/test_typed_tables_follow.py",
    "integration/test_masks.py",
    "integration/test_holds.py",
    "project/test_consumer.py",
    "property/test_state.py",
    "landing/test_inspect.py",
    "integration/test_upgrade.py",
    "decode/test_typed_tables.py",
    "decode/test_decoders.py",
    "integration/test_tombstones.py",
    "integration/test_publication.py",
    "integration/test_healthy_build.py",
    "integration/test_mapped_raw.py",
    "integration/test_typed_tables_bad_input.py",
    "landing/test_files.py",
    "integration/test_new_faults_warn.py",
    "integration/test_merged_rows.py",
    "integration/test_maintenance.py",
    "property/test_interrupted.py",
    "project/test_persist_docs.py",
    "integration/test_first_build.py",
    "landing/test_schemas.py",
    "integration/test_connector_faults.py",
    "property/test_exact_json.py",
    "docs/test_blocks.py",
    "landing/test_stopping.py",
    "project/test_configuration.py",
    "docs/test_report_page.py",
    "docs/test_descriptions.py",
    "property/test_informational_fields.py",
    "integration/test_staging_views.py",
    "property/test_frames.py",
]


def order_of(item):
    """Return the position of a test's file: the longest files first. The sort keeps the order of tests in a file."""
    file = item.path.relative_to(HOME / "tests").as_posix()
    return LONGEST_FILES.index(file) if file in LONGEST_FILES else len(LONGEST_FILES)


def is_wanted(config, item):
    """Return whether a test runs with these options and this table format."""
    if item.get_closest_marker("iceberg_only") and table_format.NAME != "iceberg":
        return False
    if config.getoption("--long"):
        return True
    if item.get_closest_marker("slow"):
        return False
    return not item.get_closest_marker("sources") or "sources" in config.option.markexpr


def pytest_terminal_summary(terminalreporter):
    """Print the minutes that the tests of each folder took, over all processes."""
    seconds, tests = Counter(), Counter()
    for report in sum(terminalreporter.stats.values(), []):
        if isinstance(report, pytest.TestReport):
            folder = Path(report.nodeid).parts[1]
            seconds[folder] += report.duration
            tests[folder] += report.when == "call"
    for folder, duration in seconds.most_common():
        terminalreporter.write_line(f"{folder}: {tests[folder]} tests, {duration / 60:.1f} minutes")


def compile_each_text_once():
    """Let dbt remember what Jinja makes of a text. It asks several times in every run."""
    enable_test_caching()
    for name in ("_parse", "compile"):
        remember(MacroFuzzEnvironment, name)


def remember(environment, name):
    """Let a method of Jinja's environments remember its results by class and arguments."""
    function, known = getattr(environment, name), {}

    def remembered(self, *arguments, **named):
        key = type(self), *arguments, *sorted(named.items())
        if key not in known:
            known[key] = function(self, *arguments, **named)
        return known[key]

    setattr(environment, name, remembered)


compile_each_text_once()


# In these tests Spark interprets its plans. They build often on a few rows, and to compile each
# plan takes longer than to run it. All others, and all of `make test-long`, run the code that
# Spark generates.
INTERPRETED = (
    "integration/test_engines_read_typed_tables.py",
    "integration/test_erase_data_subject.py",
    "integration/test_first_build.py",
    "integration/test_holds.py",
    "integration/test_healthy_build.py",
    "integration/test_maintenance.py",
    "integration/test_mapped_raw.py",
    "integration/test_monitoring.py",
    "integration/test_new_faults_warn.py",
    "integration/test_publication.py",
    "integration/test_staging_views.py",
    "integration/test_tombstones.py",
    "integration/test_typed_tables_bad_input.py",
    "integration/test_typed_tables_change.py",
    "integration/test_typed_tables_follow_publication.py",
    "integration/test_upgrade.py",
    "property/test_state.py",
)


class CodeGeneration:
    """Whether Spark interprets the plans of the current test, and whether the session does."""

    is_interpreted = is_set = False

    @classmethod
    def apply(cls):
        """Set the session to it, if Spark runs."""
        if SparkContext._active_spark_context and cls.is_set is not cls.is_interpreted:
            conf, cls.is_set = session.start().conf, cls.is_interpreted
            conf.set("spark.sql.codegen.wholeStage", str(not cls.is_set).lower())
            conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN" if cls.is_set else "FALLBACK")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Choose how Spark runs the plans of a test, before its fixtures are made."""
    file = item.path.relative_to(HOME / "tests").as_posix()
    CodeGeneration.is_interpreted = file in INTERPRETED and not item.config.getoption("--long")
    CodeGeneration.apply()


@pytest.fixture(scope="session")
def spark():
    """The Spark session that landing and dbt share."""
    started = session.start()
    CodeGeneration.apply()
    return started


@pytest.fixture(scope="session")
def broker(tmp_path_factory):
    """The Kafka broker that the tests share."""
    from broker import Broker

    running = Broker(tmp_path_factory.mktemp("broker"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def chromium(request):
    """Chromium, which root installs here if it is missing. Skips if it cannot be had."""
    if not chromium_packages.is_installed():
        with request.getfixturevalue("capsys_disabled")():
            print("\n==> installing Chromium with apt-get, for the browser test")
        if reason := chromium_packages.install():
            pytest.skip(f"no Chromium: {reason}")


@pytest.fixture(scope="session")
def capsys_disabled(request):
    """What lets a fixture of a module print past pytest's capture."""
    return request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled


# Settings that the macro get_shared_settings writes into the graph, and that change nothing else in
# it. Then those that leave the graph as it is. To parse the project takes longer than a small run.
SHARED = ("topics", "tables", "sequence_resets")
OF_A_RUN = (*SHARED, "replay", "compaction_threshold", "lookback_days", "check_in_run")


class Project:
    """kafka_cdc with schemas of its own (raw_<name>, cdc_<name>) in the test lake, and the settings it runs with."""

    def __init__(self, spark, name, settings=None):
        self.spark, self.name, self.settings, self.home = spark, name, settings or {}, HOME
        # Landing batches have random numbers, as those of kafka-cdc land. A name always gives the same.
        self.chance = random.Random(name)
        self.manifests = {}  # of `dbt parse`, by the settings of the graph: later runs need not parse
        self.raw = table.create(spark, f"raw_{name}", "kafka_messages")

    def land(self, messages, batch=None, landed_at=None):
        """Append messages (mappings with topic, value, and more where it matters) to raw in one commit; return its batch."""
        batch = batch or self.chance.getrandbits(63)
        landed_at = landed_at or datetime.now(timezone.utc)
        rows = [
            (
                m["topic"],
                m.get("partition", 0),
                m.get("offset", at),
                m.get("timestamp"),
                m.get("key"),
                m.get("value"),
                m.get("headers"),
                landed_at,
                batch,
                m.get("topic_incarnation", 0),
            )
            for at, m in enumerate(messages)
        ]
        self.spark.createDataFrame(rows, MESSAGE_SCHEMA).coalesce(1).writeTo(self.raw).append()
        return batch

    def invoke(self, *arguments, **settings):
        """Run dbt in this process with the project's settings and these; return its result without judging it."""
        os.environ["KAFKA_CDC_SCHEMA"] = f"cdc_{self.name}"
        settings = {"raw_schema": f"raw_{self.name}", **self.settings, **settings}
        options = options_of(self.home, settings)
        gc.disable()  # a parsed project is a million objects, which Python would look through again and again
        try:
            return self.run_dbt(arguments, options, settings)
        finally:
            gc.enable()

    def run_dbt(self, arguments, options, settings):
        """Run dbt with a manifest of these settings, which is parsed if there is none yet."""
        graph = {name: settings[name] for name in settings if name not in OF_A_RUN}
        key = json.dumps(graph)
        if key not in self.manifests:
            is_parse, has_own_raw = (
                arguments == ("parse",),
                graph["raw_schema"] == f"raw_{self.name}",
            )
            is_shared = self.home == HOME and has_own_raw and not is_parse
            parsed = parse_for_any(graph) if is_shared else parse(options)
            if is_parse or not parsed.success:
                return parsed
            self.manifests[key] = (
                manifest_of(self.name, parsed.result) if is_shared else parsed.result
            )
        manifest = self.manifests[key]
        share_settings(manifest, settings)
        self.log_lines = []
        result = dbtRunner(manifest=manifest, callbacks=[self.collect_log_line]).invoke(
            ["--quiet", *arguments, *options]
        )
        manifest.nodes.pop("sql_operation.kafka_cdc.inline_query", None)  # a remnant of --inline
        return result

    def collect_log_line(self, event):
        """Collect the messages that macros log in a run of dbt."""
        if event.info.name == "JinjaLogInfo":
            self.log_lines.append(event.data.msg)

    def dbt(self, *arguments, **settings):
        """Run dbt; fail the test where a model or a test fails."""
        result = self.invoke(*arguments, **settings)
        assert result.success, failure(result)
        return result

    def snapshots(self, relation):
        """Return the numbers of the snapshots of a table ({cdc}.events) that its format still knows, in order."""
        if table_format.NAME == "delta":
            return [row["version"] for row in self.query(f"describe history {relation}")][::-1]
        return [
            row["snapshot_id"]
            for row in self.query(
                f"select snapshot_id from {relation}.snapshots order by committed_at"
            )
        ]

    def published(self, relation):
        """Return the number of the snapshot of a table that is published."""
        if table_format.NAME == "delta":
            schema, name = relation.split(".")
            return int(
                self.query(f"show create table {schema}.published_{name}")[0][
                    "createtab_stmt"
                ].split()[-1]
            )
        return self.query(f"select snapshot_id from {relation}.refs where name = 'published'")[0][
            "snapshot_id"
        ]

    def files(self, relation):
        """Return the data files of a table."""
        if table_format.NAME == "delta":
            return {
                row["file_path"]
                for row in self.query(f"select distinct _metadata.file_path from {relation}")
            }
        return {row["file_path"] for row in self.query(f"select file_path from {relation}.files")}

    def query(self, sql):
        """Return the rows of a query in which {cdc} and {raw} are the project's schemas, as mappings."""
        return [
            row.asDict(recursive=True)
            for row in self.spark.sql(
                sql.format(cdc=f"cdc_{self.name}", raw=f"raw_{self.name}")
            ).collect()
        ]


def options_of(home, settings):
    """Return the options of dbt for a project's folder and settings."""
    paths = ["--target-path", f"{LAKE.name}/target", "--log-path", f"{LAKE.name}/logs"]
    log = ["--log-level-file", "none"]
    return ["--project-dir", str(home), *paths, *log, "--vars", json.dumps(settings)]


def parse(options):
    """Run `dbt parse`, without the files for later parses: other settings could not use them."""
    unused = ["--no-partial-parse", "--no-write-json"]
    return dbtRunner().invoke(["--quiet", *unused, "parse", *options])


# A project's name in the manifests that all projects of a process share, by their other settings.
# A parse takes longer than most builds, and projects differ in the names of their schemas.
ANY_NAME = "name_of_a_project"
PARSED_FOR_ANY = {}


def parse_for_any(settings):
    """Return what `dbt parse` returns for any project with these settings of the graph."""
    settings = {**settings, "raw_schema": f"raw_{ANY_NAME}"}
    key = json.dumps(settings)
    if key not in PARSED_FOR_ANY:
        schema = os.environ["KAFKA_CDC_SCHEMA"]
        os.environ["KAFKA_CDC_SCHEMA"] = f"cdc_{ANY_NAME}"
        PARSED_FOR_ANY[key] = parse(options_of(HOME, settings))
        os.environ["KAFKA_CDC_SCHEMA"] = schema
    return PARSED_FOR_ANY[key]


def manifest_of(name, shared):
    """Return a manifest with the schemas of a project, from one that parse_for_any has returned."""
    copied = {
        part: {
            each: type(node).from_dict(renamed(node.to_dict(omit_none=True), name))
            for each, node in getattr(shared, part).items()
        }
        for part in ("nodes", "sources", "exposures", "unit_tests")
    }
    manifest = dataclasses.replace(
        shared, **copied, flat_graph={}, _ref_lookup=None, _source_lookup=None
    )
    manifest.build_flat_graph()
    return manifest


def renamed(value, name):
    """Return a value whose texts have the name of a project in place of ANY_NAME."""
    if isinstance(value, str):
        return value.replace(ANY_NAME, name)
    if isinstance(value, dict):
        return {renamed(key, name): renamed(each, name) for key, each in value.items()}
    return [renamed(each, name) for each in value] if isinstance(value, list) else value


def share_settings(manifest, settings):
    """Set what the macro get_shared_settings sets when dbt parses."""
    name = "model.kafka_cdc.changelog"
    parsed = manifest.nodes[name].config.meta["shared_settings"]
    shared = {**parsed, **{setting: settings.get(setting) or [] for setting in SHARED}}
    manifest.nodes[name].config.meta["shared_settings"] = shared
    manifest.flat_graph["nodes"][name]["config"]["meta"]["shared_settings"] = shared


def failure(result):
    """Return what went wrong in a dbt result, in a few lines."""
    if result.exception:
        return str(result.exception)[:2000]
    return "\n".join(
        f"{r.node.name}: {(r.message or r.status)[:800]}"
        for r in result.result
        if r.status not in ("success", "pass", "no-op")
    )


@pytest.fixture(scope="session")
def project(spark):
    """Make a Project by its name and settings."""
    return lambda name, **settings: Project(spark, name, settings)


def samples(*files):
    """Yield the sample messages of every format, or of some files, as Project.land takes them."""
    for file in sorted(SAMPLES.glob("*.jsonl")):
        if files and file.name not in files:
            continue
        for at, line in enumerate(file.read_text(encoding="utf-8").splitlines()):
            if file.name.endswith(".kcat.jsonl"):
                parsed = json.loads(line)
                yield {
                    "topic": parsed["topic"],
                    "partition": parsed.get("partition", 0),
                    "offset": parsed.get("offset", at),
                    "key": parsed.get("key"),
                    "value": parsed.get("payload"),
                }
            else:
                yield {"topic": file.stem, "offset": at, "value": line or None}
