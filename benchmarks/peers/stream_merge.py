"""Run what a Spark user writes: Structured Streaming with from_json, merged into one Iceberg table.

Usage: `python -m benchmarks.peers.stream_merge SERVERS TOPIC FORMAT CHECKPOINT`.
It runs until it is stopped.

Messages that are no JSON, and tombstones, are dropped. Of the messages of a key, the one with the
highest offset in a batch wins.
"""

import sys
from collections.abc import Mapping

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.window import Window

from kafka_cdc import session

from .columns import COLUMNS, KEY

TARGET = "peer.orders"
PROPERTIES = {"format-version": "2", "write.merge.mode": "merge-on-read"}
Columns = Mapping[str, str]  # name → Spark's type


def struct_of(columns: Columns) -> str:
    """Return the type of a row."""
    return "struct<" + ", ".join(f"{name}: {kind}" for name, kind in columns.items()) + ">"


def schema_of(format_: str, columns: Columns) -> str:
    """Return the type of a message."""
    if format_ == "canal":
        # Canal's values are texts. from_json cannot parse a text into a number: rows_of casts them.
        texts = struct_of(dict.fromkeys(columns, "string"))
        return f"struct<data: array<{texts}>, type: string>"
    row = struct_of(columns).replace("decimal(38,10)", "string")
    return f"struct<before: {row}, after: {row}, op: string>"


def rows_of(format_: str, messages: DataFrame, columns: Columns) -> DataFrame:
    """Return a row for each row of the messages, with is_delete and offset."""
    message = F.from_json(F.col("value").cast("string"), schema_of(format_, columns)).alias("m")
    parsed = messages.select(message, "offset")
    if format_ == "canal":
        row, is_delete = F.explode("m.data"), F.col("m.type") == "DELETE"
    else:
        row, is_delete = F.coalesce("m.after", "m.before"), F.col("m.op") == "d"
    rows = parsed.select(row.alias("r"), is_delete.alias("is_delete"), "offset")
    fields = [f"try_cast(r.{name} as {kind}) as {name}" for name, kind in columns.items()]
    return rows.where(f"r.{KEY} is not null").selectExpr(*fields, "is_delete", "offset")


def newest(rows: DataFrame) -> DataFrame:
    """Return the row with the highest offset of each key."""
    by_offset = Window.partitionBy(KEY).orderBy(F.col("offset").desc())
    return rows.withColumn("rank", F.row_number().over(by_offset)).where("rank = 1").drop("rank")


def merge(format_: str, batch: DataFrame, target: str, columns: Columns) -> None:
    """Merge a batch of messages into a table."""
    newest(rows_of(format_, batch, columns)).createOrReplaceTempView("batch")
    names = ", ".join(columns)
    batch.sparkSession.sql(f"""
        merge into {target} t using (select * from batch) s on t.{KEY} = s.{KEY}
        when matched and s.is_delete then delete
        when matched then update set {", ".join(f"t.{name} = s.{name}" for name in columns)}
        when not matched and not s.is_delete then
            insert ({names}) values ({", ".join(f"s.{name}" for name in columns)})
    """)


def create_target(spark: SparkSession, target: str, columns: Columns) -> None:
    """Create the table if it does not exist."""
    fields = ", ".join(f"{name} {kind}" for name, kind in columns.items())
    properties = ", ".join(f"'{name}' = '{value}'" for name, value in PROPERTIES.items())
    spark.sql(
        f"create table if not exists {target} ({fields}) using iceberg tblproperties ({properties})"
    )


def main(servers: str, topic: str, format_: str, checkpoint: str) -> None:
    """Create the table and merge batch after batch."""
    spark = session.start()
    spark.sql("create namespace if not exists peer")
    create_target(spark, TARGET, COLUMNS)
    options = {
        "kafka.bootstrap.servers": servers,
        "subscribe": topic,
        "startingOffsets": "earliest",
    }
    messages = spark.readStream.format("kafka").options(**options).load()
    query = messages.writeStream.foreachBatch(
        lambda batch, _: merge(format_, batch, TARGET, COLUMNS)
    )
    query.option("checkpointLocation", checkpoint).start().awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
