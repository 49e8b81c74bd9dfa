"""Run what a dbt user writes: an incremental merge model with one get_json_object per column.

Usage: `python -m benchmarks.peers.merge_model SERVERS TOPIC FORMAT FOLDER`.
It runs until it is stopped.

dbt cannot read Kafka, so that `kafka-cdc land kafka` lands the messages. The project contains only
this model. Of the messages of a key, the one with the highest offset in a run wins. dbt's merge
cannot delete rows, so that the model has a column is_deleted.
"""

import sys
import time
from collections.abc import Mapping
from pathlib import Path

from dbt.cli.main import dbtRunner

from kafka_cdc import environment, session
from kafka_cdc.cli import main as kafka_cdc
from kafka_cdc.tables.table_format import Table

from .columns import COLUMNS, KEY

PAUSE_SECONDS = 1.0
PROJECT = """name: merge_model
version: 0.0.1
profile: kafka_cdc
flags: {send_anonymous_usage_stats: false}
models: {+file_format: iceberg}
"""
MODEL = """{{{{ config(
    materialized='incremental', incremental_strategy='merge', unique_key='{key}',
    tblproperties={{'format-version': '2', 'write.merge.mode': 'merge-on-read'}}
) }}}}
select {fields}, is_deleted, landed_at
from (
    select *, row_number() over (partition by {key} order by `offset` desc) as newest
    from (
        select {columns}, {is_deleted} as is_deleted, landed_at, `offset`
        from {raw}.kafka_messages
        where value is not null
        {{% if is_incremental() %}}
        and landed_at > (select max(landed_at) from {{{{ this }}}})
        {{% endif %}}
    )
    where {key} is not null
)
where newest = 1
"""
# The paths of a row, and the condition of a delete.
PATHS = {"canal": ["$.data[0]"], "debezium": ["$.after", "$.before"]}
IS_DELETED = {
    "canal": "get_json_object(value, '$.type') = 'DELETE'",
    "debezium": "get_json_object(value, '$.op') = 'd'",
}


def column_of(format_: str, name: str, kind: str) -> str:
    """Return the SQL of a column. Of a deleted row only the key is needed, from the before image."""
    paths = PATHS[format_] if name == KEY else PATHS[format_][:1]
    texts = ", ".join(f"get_json_object(value, '{path}.{name}')" for path in paths)
    return f"try_cast(coalesce({texts}) as {kind}) as {name}"


def model_of(format_: str, columns: Mapping[str, str], raw: str) -> str:
    """Return the text of the model that reads a schema with landed messages."""
    fields = ", ".join(column_of(format_, name, kind) for name, kind in columns.items())
    names = ", ".join(columns)
    deleted = IS_DELETED[format_]
    return MODEL.format(key=KEY, fields=names, columns=fields, is_deleted=deleted, raw=raw)


def write_project(folder: Path, format_: str) -> None:
    """Write the dbt project."""
    (folder / "models").mkdir(parents=True)
    (folder / "dbt_project.yml").write_text(PROJECT, encoding="utf-8")
    model = model_of(format_, COLUMNS, "raw")
    (folder / "models" / "orders.sql").write_text(model, encoding="utf-8")


def main(servers: str, topic: str, format_: str, folder: str) -> None:
    """Land and merge in a loop. A run starts if messages have landed."""
    write_project(Path(folder), format_)
    spark = session.start()
    profiles = str(environment.project_home())
    landed: object = None
    while True:
        if kafka_cdc(["land", "kafka", "--bootstrap-servers", servers, "--topics", topic]):
            sys.exit("landing failed")
        state = Table(spark, "raw.kafka_messages").snapshot()
        if state != landed:
            run = dbtRunner().invoke(
                ["--quiet", "run", "--project-dir", folder, "--profiles-dir", profiles]
            )
            print(run.success, run.exception, flush=True)
            landed = state
        time.sleep(PAUSE_SECONDS)


if __name__ == "__main__":
    main(*sys.argv[1:])
