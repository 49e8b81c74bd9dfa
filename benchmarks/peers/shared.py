"""What the comparison takes of the other benchmarks. To be deleted once these are in modules (measures, flattening, messages): import from those."""

import os
from pathlib import Path

from pyspark.sql import SparkSession

try:
    from ..flattening import flattening, land_messages
    from ..measures import FOLDER, RUNS, Measure, no_sink, processor_seconds
    from ..messages import lines
except ImportError:
    from .. import __main__ as bench
    from ..__main__ import FOLDER, RUNS, Measure, no_sink, session
    from .messages import lines

    def flattening(schema: str, topics: list[dict[str, object]]) -> str:
        """Return the SELECT of events as dbt compiles it before the table exists: all of a schema of raw."""
        os.environ["KAFKA_CDC_SCHEMA"] = f"cdc_{schema}"
        return bench.flattening(topics=topics, raw_schema=schema)

    def land_messages(spark: SparkSession, schema: str, folder: Path) -> int:
        """Land the files of a folder in a schema of raw; return how many bytes of values that schema holds."""
        bench.land(["files", str(folder), "--schema", schema])
        return spark.sql(f"select sum(octet_length(value)) from {schema}.kafka_messages").first()[0]

    def processor_seconds() -> float:
        """Return the processor time of all Spark tasks so far."""
        context, gateway = session.start().sparkContext._jsc.sc(), session.start().sparkContext._gateway
        context.listenerBus().waitUntilEmpty(60_000)
        stages = context.statusStore().stageList(None, False, False, gateway.new_array(gateway.jvm.double, 0), gateway.jvm.java.util.ArrayList())
        return sum(stages.apply(at).executorCpuTime() for at in range(stages.size())) / 1e9


__all__ = ["FOLDER", "RUNS", "Measure", "flattening", "land_messages", "lines", "no_sink", "processor_seconds"]
