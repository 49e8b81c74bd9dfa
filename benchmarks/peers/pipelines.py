"""The pipelines that are compared: how each is started, and where its table is."""

import glob
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pyspark

from ..measures import copy_project
from .changes import DATABASE, TABLE
from .columns import KEY
from .processes import Pipeline
from .tables import PAIMON, IcebergTable, PaimonTable, Table

MEMORY = os.environ.get("BENCH_PEERS_MEMORY", "3g")
INTERVAL = "1s"  # between the starts of two cycles
CHECKPOINT = "10s"
# What Flink's own start script opens to reflection.
OPENS = ["java.util", "java.lang", "java.net", "java.time", "java.io", "java.nio", "sun.nio.ch", "java.text", "java.lang.reflect",
         "java.util.concurrent", "java.util.concurrent.atomic", "java.util.concurrent.locks"]  # fmt: skip
LOG4J = """rootLogger.level = warn
rootLogger.appenderRef.out.ref = out
appender.out.type = Console
appender.out.name = out
"""


@dataclass(frozen=True)
class Job:
    """What a pipeline has to do: the topic of a broker, its format, and an empty folder to work in."""

    servers: str
    topic: str
    format_: str
    folder: Path


def start_python(job: Job, *command: str, **more: str) -> Pipeline:
    """Start a Python pipeline with the Spark settings of profiles.yml and a lake of its own."""
    lake = job.folder / "lake"
    lake.mkdir()
    variables: Mapping[str, str] = {
        "KAFKA_CDC_LAKE": str(lake), "KAFKA_CDC_MEMORY": MEMORY, "KAFKA_CDC_MASK_SECRET": "a-secret-of-the-benchmarks",
        "DBT_TARGET_PATH": str(job.folder / "target"), "DBT_LOG_PATH": str(job.folder / "logs"), **more,
    }  # fmt: skip
    return Pipeline([sys.executable, *command], job.folder / "log", variables)


def ours(job: Job) -> tuple[Pipeline, Table]:
    """Start `kafka-cdc run` with a typed model."""
    project = job.folder / "project"
    copy_project(project)
    model = project / "models" / "typed" / "typed_orders.sql"
    model.parent.mkdir(exist_ok=True)
    model.write_text(f"{{{{ kafka_cdc.current_table('{DATABASE}.{TABLE}') }}}}\n", encoding="utf-8")
    pipeline = start_python(
        job, "-m", "kafka_cdc", "run", "--bootstrap-servers", job.servers, "--topics", job.topic, "--interval", INTERVAL,
        "--vars", f'{{"topics": [{{"topic": "{job.topic}", "format": "{job.format_}"}}]}}', DBT_PROJECT_DIR=str(project),
    )  # fmt: skip
    return pipeline, IcebergTable(job.folder / "lake", "cdc", "typed_orders")


def paimon(job: Job) -> tuple[Pipeline, Table]:
    """Start Paimon's action kafka_sync_database in Flink's local mode: one JVM, as Spark's."""
    configuration = job.folder / "flink"
    configuration.mkdir()
    (configuration / "config.yaml").write_text("", encoding="utf-8")
    (configuration / "log4j2.properties").write_text(LOG4J, encoding="utf-8")
    [action] = glob.glob(f"{PAIMON}/jars/paimon-flink-*.jar")
    spark = Path(pyspark.__file__).parent / "jars"
    hadoop = [*spark.glob("hadoop-client-*.jar"), *spark.glob("jcl-over-slf4j-*.jar")]
    classes = [f"{PAIMON}/python/pyflink/lib/*", f"{PAIMON}/jars/*", *map(str, hadoop)]
    java = Path(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
    cores = os.cpu_count()
    # Paimon 1.3 reads the names of key columns from `pkNames` of the value. Debezium sends none.
    keys = ["--primary_keys", KEY] if job.format_ == "debezium" else []
    kafka = {
        "properties.bootstrap.servers": job.servers, "topic": job.topic, "properties.group.id": "peers",
        "value.format": f"{job.format_}-json", "scan.startup.mode": "earliest-offset",
    }  # fmt: skip
    command = [
        java, f"-Xmx{MEMORY}", "-XX:+UseSerialGC", *(f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in OPENS),
        f"-Dlog4j.configurationFile={configuration}/log4j2.properties", "-cp", ":".join(classes),
        "org.apache.flink.client.cli.CliFrontend", "run", "--target", "local", "--class", "org.apache.paimon.flink.action.FlinkActions",
        f"-Dexecution.checkpointing.interval={CHECKPOINT}", f"-Dparallelism.default={cores}", f"-Dtaskmanager.numberOfTaskSlots={cores}",
        "-Dpipeline.object-reuse=true", action, "kafka_sync_database",
        "--warehouse", f"file://{job.folder}/warehouse", "--database", "lake",
        "--table_conf", f"bucket={cores}", *keys,
        *(part for name, value in kafka.items() for part in ("--kafka_conf", f"{name}={value}")),
    ]  # fmt: skip
    pipeline = Pipeline(command, job.folder / "log", {"FLINK_CONF_DIR": str(configuration)})
    return pipeline, PaimonTable(job.folder / "warehouse", "lake", TABLE)


def stream(job: Job) -> tuple[Pipeline, Table]:
    """Start Structured Streaming that merges into one table."""
    arguments = [job.servers, job.topic, job.format_, str(job.folder / "checkpoint")]
    pipeline = start_python(job, "-m", "benchmarks.peers.stream_merge", *arguments)
    return pipeline, IcebergTable(job.folder / "lake", "peer", TABLE)


def model(job: Job) -> tuple[Pipeline, Table]:
    """Start landing and an incremental dbt model that merges into one table."""
    arguments = [job.servers, job.topic, job.format_, str(job.folder / "project")]
    pipeline = start_python(
        job, "-m", "benchmarks.peers.merge_model", *arguments, KAFKA_CDC_SCHEMA="peer"
    )
    return pipeline, IcebergTable(job.folder / "lake", "peer", TABLE, "not is_deleted")


PIPELINES = {
    "kafka_cdc": ours,
    "Paimon": paimon,
    "streaming MERGE": stream,
    "dbt merge model": model,
}
