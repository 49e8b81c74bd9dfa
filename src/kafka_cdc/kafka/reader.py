"""Messages of Kafka in the columns of raw."""

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from kafka_cdc.kafka.client import KafkaClient
from kafka_cdc.kafka.offsets import OffsetRanges
from kafka_cdc.kafka.options import KafkaOptions

MAX_TIMESTAMP = "timestamp '9999-12-31 23:59:59.999'"


@dataclass(frozen=True)
class MessageReader:
    """Reads messages."""

    spark: SparkSession
    client: KafkaClient
    options: KafkaOptions

    @property
    def parallelism(self) -> int:
        """The number of tasks that Spark runs at the same time."""
        return self.spark.sparkContext.defaultParallelism

    def read(self, ranges: OffsetRanges) -> DataFrame:
        """Return the messages of the ranges with the columns raw.MESSAGE."""
        sources = {key: self.options.get_source(key) for key in ranges}
        rows = self.client.read(
            {sources[key]: ends for key, ends in ranges.items()}, min_partitions=self.parallelism
        )
        binary = sorted({sources[key][0] for key in ranges if self.options.is_binary(key.topic)})
        incarnations = {sources[key][0]: key.incarnation for key in ranges if key.incarnation}
        has_valid_time = F.col("timestamp").between(
            F.timestamp_millis(F.lit(0)), F.expr(MAX_TIMESTAMP)
        )
        return rows.select(
            F.concat(F.lit(self.options.topic_prefix), "topic").alias("topic"),
            "partition",
            "offset",
            F.when(has_valid_time, F.col("timestamp")).alias("timestamp"),
            F.col("key").cast("string").alias("key"),
            get_value(binary).alias("value"),
            "headers",
            get_incarnation(incarnations).alias("topic_incarnation"),
        )


def get_value(binary: list[str]) -> Column:
    """Return the payload as text, for the binary topics as base64 without line breaks."""
    text = F.col("value").cast("string")
    if not binary:
        return text
    return F.when(F.col("topic").isin(binary), get_base64("value")).otherwise(text)


def get_base64(value: str) -> Column:
    """Return the bytes of a column as base64 without line breaks."""
    return F.replace(F.base64(value), F.lit("\r\n"), F.lit(""))


def get_incarnation(incarnations: dict[str, int]) -> Column:
    """Return the incarnation of a message's topic, from those that are not 0."""
    if not incarnations:
        return F.lit(0)
    pairs = (F.lit(part) for pair in incarnations.items() for part in pair)
    known = F.create_map(*pairs)
    return F.coalesce(F.try_element_at(known, F.col("topic")), F.lit(0))
