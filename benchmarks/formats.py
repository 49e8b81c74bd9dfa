"""Measure what the other formats cost a run with messages of three formats."""

import re
from pathlib import Path

from pyspark.sql import SparkSession

from .flattening import MESSAGES, flattening, land_messages, write_messages
from .measures import Measure, in_processor_time, no_sink, project_copy
from .messages import COLUMNS

THREE = ["huawei_drs_json", "debezium", "maxwell"]
GOALS = {"mapped": "≤ 1.05", "recognized": "≤ 1.05"}


def with_three_formats() -> Path:
    """Return a copy of the project that knows no other formats."""
    folder = project_copy("three_formats")
    listed = folder / "macros/formats/format_list.sql"
    names = re.findall(r"^        '(\w+)',\n", listed.read_text(encoding="utf-8"), flags=re.M)
    text = listed.read_text(encoding="utf-8")
    for name in set(names) - set(THREE):
        text = text.replace(f"        '{name}',\n", "")
        for suffix in ("sql", "yml"):
            (folder / f"models/staging/stg_{name}__events.{suffix}").unlink()
    listed.write_text(text, encoding="utf-8")
    return folder


def compare_formats(spark: SparkSession) -> list[Measure]:
    """Compare flattening by all formats with flattening by three, for mapped and other topics."""
    schema = "raw_formats"
    folder = write_messages(MESSAGES, 0, "formats", columns=COLUMNS)
    for file in folder.iterdir():
        if file.name.split(".")[0] not in THREE:
            file.unlink()
    size = land_messages(spark, schema, folder)
    three = with_three_formats()
    mapped = [{"topic": f"{name}_*", "format": name} for name in THREE]
    measures = []
    for kind, topics in {"mapped": mapped, "recognized": []}.items():
        all_formats = no_sink(spark, flattening(schema, topics))
        of_three = no_sink(spark, flattening(schema, topics, project=three))
        what = (
            f"flatten three formats with all formats enabled ÷ with these three only, topics {kind}"
        )
        measures.append(
            in_processor_time("formats", what, GOALS[kind], all_formats, of_three, size)
        )
    return measures
