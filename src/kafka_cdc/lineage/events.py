"""What the events describe: jobs, runs and datasets, without a dependency on OpenLineage's client.

Nothing here has a value of a message, the text of a statement, a property of Kafka or a secret.
"""

import json
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from kafka_cdc import environment

START, COMPLETE, FAIL, ABORT = "START", "COMPLETE", "FAIL", "ABORT"
DBT_STATES = {"success": COMPLETE, "skipped": ABORT, "no-op": COMPLETE, "partial success": FAIL}
KINDS = ("model", "seed", "snapshot")
RAW_COLUMNS: tuple[tuple[str, str], ...] = (
    ("topic", "string"),
    ("partition", "int"),
    ("offset", "bigint"),
    ("timestamp", "timestamp"),
    ("key", "string"),
    ("value", "string"),
    ("headers", "array<struct<key:string,value:binary>>"),
    ("landed_at", "timestamp"),
    ("landing_batch", "bigint"),
    ("topic_incarnation", "int"),
)
"""Columns of the table of landed messages. tables/iceberg.py creates them."""


COLUMNS_OF_TYPED_TABLE = re.compile(r"^-- Columns: (\{.*\})$", re.MULTILINE)
"""The comment in the SQL of a typed table. macros/typed_tables/select_typed_rows.sql prints it."""


@dataclass(frozen=True)
class ColumnSource:
    """From which field of an input dataset a column comes, and from which column of the source."""

    column: str
    dataset: str
    field: str
    source_column: str


@dataclass(frozen=True)
class Dataset:
    """A dataset: a topic, a file, or a table with its columns and their types."""

    namespace: str
    name: str
    columns: tuple[tuple[str, str], ...] = ()
    column_sources: tuple[ColumnSource, ...] = ()


@dataclass(frozen=True)
class Event:
    """The state of a run of a job.

    Attributes:
        state: START, COMPLETE, FAIL or ABORT.
        at: The time, ISO 8601 in UTC.
        run: The id of the run, a UUID.
        job: The name of the job.
        kind: What the job is: LANDING, DBT_RUN, MODEL, SEED or SNAPSHOT.
        inputs: Datasets that the run reads.
        outputs: Datasets that it writes.
        parent: Id and name of the run that it belongs to.
    """

    state: str
    at: str
    run: str
    job: str
    kind: str
    inputs: Sequence[Dataset] = ()
    outputs: Sequence[Dataset] = ()
    parent: tuple[str, str] | None = None


@dataclass
class Landing:
    """A landing, as events at its begin and at its end."""

    job: str
    output: Dataset
    run: str = field(default_factory=lambda: str(uuid.uuid4()))

    def get_event(self, state: str, inputs: Iterable[Dataset] = ()) -> Event:
        """Return the event of a state. The datasets are known at the end."""
        return Event(state, now(), self.run, self.job, "LANDING", tuple(inputs), (self.output,))


def now() -> str:
    """Return the current time."""
    return datetime.now(timezone.utc).isoformat()


def get_kafka_datasets(servers: str, topics: Iterable[str], prefix: str = "") -> list[Dataset]:
    """Return the datasets of topics. Their names in Kafka lack the prefix of landing."""
    namespace = f"kafka://{servers.split(',')[0].strip()}"
    return [Dataset(namespace, topic.removeprefix(prefix)) for topic in sorted(topics)]


def get_file_datasets(paths: Iterable[Path]) -> list[Dataset]:
    """Return the datasets of files."""
    return [Dataset("file", str(path.absolute())) for path in sorted(paths)]


def get_raw_dataset(schema: str, table: str) -> Dataset:
    """Return the dataset of the table of landed messages."""
    return Dataset(get_lake_namespace(), f"{schema}.{table}", RAW_COLUMNS)


def get_lake_namespace() -> str:
    """Return the namespace of the tables: the Spark server, else the folder of the lake.

    A warm session has the lake of the project, into which landing writes with another session.
    """
    target = environment.TARGET.get() or ""
    if target == "cluster":
        host = environment.THRIFT_HOST.get() or environment.THRIFT_HOST.default
        port = environment.THRIFT_PORT.get() or environment.THRIFT_PORT.default
        return f"spark://{host}:{port}"
    if target == "connect" and (remote := environment.SPARK_REMOTE.get()):
        # The parameters of the address may have a token.
        return f"spark://{remote.removeprefix('sc://').partition('/')[0]}"
    return f"file://{environment.lake_folder()}"


def get_dbt_events(manifest: Mapping[str, Any], results: Mapping[str, Any]) -> list[Event]:
    """Return the events of a dbt run: one run for dbt, and one for each model, seed and snapshot.

    Ids come from dbt's invocation, so that the same run has the same ids when it is sent again.

    Args:
        manifest: dbt's manifest.json.
        results: dbt's run_results.json.
    """
    metadata = results["metadata"]
    invocation = metadata["invocation_id"]
    project = manifest["metadata"].get("project_name") or "dbt"
    parent = get_id(invocation, "dbt"), f"{project}.dbt_{results.get('args', {}).get('which', '')}"
    states = {result["status"] for result in results["results"]}
    is_failed = bool(states & {"error", "fail", "runtime error", "partial success"})
    end = metadata["generated_at"]
    begin = metadata.get("invocation_started_at") or end
    nodes = {**manifest["nodes"], **manifest.get("sources", {})}
    events = [Event(START, begin, *parent, "DBT_RUN")]
    for result in results["results"]:
        node = nodes.get(result["unique_id"])
        if not node or node["resource_type"] not in KINDS:
            continue
        names = node.get("depends_on", {}).get("nodes", [])
        inputs = [
            get_table(nodes[name])
            for name in names
            if name in nodes and nodes[name].get("relation_name")
        ]
        run = get_id(invocation, result["unique_id"])
        job = f"{project}.{node['schema']}.{node['name']}"
        kind = node["resource_type"].upper()
        output: tuple[Dataset, ...] = ()
        if node.get("relation_name"):
            output = (replace(get_table(node), column_sources=get_column_sources(node, result)),)
        began, ended = get_times(result, begin, end)
        state = DBT_STATES.get(result["status"], FAIL)
        for name, at in ((START, began), (state, ended)):
            events.append(Event(name, at, run, job, kind, tuple(inputs), output, parent))
    events.append(Event(FAIL if is_failed else COMPLETE, end, *parent, "DBT_RUN"))
    return events


def get_column_sources(
    node: Mapping[str, Any], result: Mapping[str, Any]
) -> tuple[ColumnSource, ...]:
    """Return where the columns of a typed table come from. Of other models it is not known."""
    is_typed = node.get("config", {}).get("materialized") == "typed_table"
    found = COLUMNS_OF_TYPED_TABLE.search(result.get("compiled_code") or "") if is_typed else None
    if not found:
        return ()
    known = json.loads(found[1])
    return tuple(
        ColumnSource(column, known["from"], "row_values", source_column)
        for column, source_column in known["columns"].items()
    )


def get_id(invocation: str, name: str) -> str:
    """Return the id of a run."""
    return str(uuid.uuid5(uuid.UUID(invocation), name))


def get_times(result: Mapping[str, Any], begin: str, end: str) -> tuple[str, str]:
    """Return when a node began and ended."""
    timing = [step for step in result.get("timing", []) if step.get("started_at")]
    if not timing:
        return begin, end
    return timing[0]["started_at"], timing[-1].get("completed_at") or end


def get_table(node: Mapping[str, Any]) -> Dataset:
    """Return the dataset of a model, seed or source of dbt."""
    columns = tuple(
        (column["name"], column.get("data_type") or "")
        for column in node.get("columns", {}).values()
    )
    name = node.get("alias") or node.get("identifier") or node["name"]
    return Dataset(get_lake_namespace(), f"{node['schema']}.{name}", columns)
