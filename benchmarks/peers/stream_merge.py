"""Run what a Spark user writes: Structured Streaming with from_json, merged into one Iceberg table.

Usage: `python -m benchmarks.peers.stream_merge SERVERS TOPIC FORMAT CHECKPOINT`. It runs until it is stopped.

Messages that are no JSON, and tombstones, are dropped. Of the messages of a key, the one with the
highest offset in a batch wins.
"""

import sys

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.window import Window

from kafka_cdc import session

from .columns import COLUMNS, KEY

TARGET = "peer.orders"
ROW = "struct<" + ", ".join(f"{name}: {kind}" for name, kind in COLUMNS.items()) + ">"
# Canal's values are texts. from_json cannot parse a text into a number, so that they are cast.
TEXT_ROW = "struct<" + ", ".join(f"{name}: string" for name in COLUMNS) + ">"
SCHEMAS = {
    "canal": f"struct<data: array<{TEXT_ROW}>, type: string>",
    "debezium": f"struct<before: {ROW}, after: {ROW}, op: string>".replace(
        "decimal(38,10)", "string"
    ),
}
PROPERTIES = {"format-version": "2", "write.merge.mode": "merge-on-read"}


def rows_of(format_: str, messages: DataFrame) -> DataFrame:
    """Return a row for each row of the messages, with is_delete and offset."""
    parsed = messages.select(
        F.from_json(F.col("value").cast("string"), SCHEMAS[format_]).alias("m"), "offset"
    )
    if format_ == "canal":
        rows = parsed.select(
            F.explode("m.data").alias("r"), (F.col("m.type") == "DELETE").alias("is_delete"), "offset"
        )  # fmt: skip
    else:
        rows = parsed.select(
            F.coalesce("m.after", "m.before").alias("r"), (F.col("m.op") == "d").alias("is_delete"), "offset"
        )  # fmt: skip
    fields: list[Column | str] = [F.expr(f"try_cast(r.{name} as {kind})").alias(name) for name, kind in COLUMNS.items()]  # fmt: skip
    return rows.where(f"r.{KEY} is not null").select(*fields, "is_delete", "offset")


def newest(rows: DataFrame) -> DataFrame:
    """Return the row with the highest offset of each key."""
    by_offset = Window.partitionBy(KEY).orderBy(F.col("offset").desc())
    return rows.withColumn("rank", F.row_number().over(by_offset)).where("rank = 1").drop("rank")


def merge(format_: str, batch: DataFrame) -> None:
    """Merge a batch of messages into the table."""
    newest(rows_of(format_, batch)).createOrReplaceTempView("batch")
    names = ", ".join(COLUMNS)
    batch.sparkSession.sql(f"""
        merge into {TARGET} t using (select * from batch) s on t.{KEY} = s.{KEY}
        when matched and s.is_delete then delete
        when matched then update set {", ".join(f"t.{name} = s.{name}" for name in COLUMNS)}
        when not matched and not s.is_delete then
            insert ({names}) values ({", ".join(f"s.{name}" for name in COLUMNS)})
    """)


def main(servers: str, topic: str, format_: str, checkpoint: str) -> None:
    """Create the table and merge batch after batch."""
    spark = session.start()
    columns = ", ".join(f"{name} {kind}" for name, kind in COLUMNS.items())
    properties = ", ".join(f"'{name}' = '{value}'" for name, value in PROPERTIES.items())
    spark.sql("create namespace if not exists peer")
    spark.sql(f"create table if not exists {TARGET} ({columns}) using iceberg tblproperties ({properties})")  # fmt: skip
    options = {
        "kafka.bootstrap.servers": servers,
        "subscribe": topic,
        "startingOffsets": "earliest",
    }
    messages = spark.readStream.format("kafka").options(**options).load()
    query = messages.writeStream.foreachBatch(lambda batch, _: merge(format_, batch))
    query.option("checkpointLocation", checkpoint).start().awaitTermination()


if __name__ == "__main__":
    main(*sys.argv[1:])
