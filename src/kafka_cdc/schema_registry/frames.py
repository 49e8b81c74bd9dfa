"""Frames of messages: byte 0, the schema's id in four bytes, and then the payload."""

import json
from typing import Any, NamedTuple

from pyspark.sql import Column
from pyspark.sql import functions as F

FRAME = r"substring({bytes}, 1, 2) = X'0000' and octet_length({bytes}) > 5"
ID = "cast(conv(hex(substring({bytes}, 2, 4)), 16, 10) as int)"
BASE64_FRAME = "^AA[A-D][A-Za-z0-9+/]{5}"
PARTS = {"value": True, "key": False}  # column, and whether it may be base64


class SchemaName(NamedTuple):
    """What identifies a schema: topic, incarnation of the topic, and id in the registry."""

    topic: str
    incarnation: int
    id: int

    def format_topic(self) -> str:
        """Return the topic, with its incarnation if the topic was recreated."""
        if self.incarnation:
            return f"{self.topic} (incarnation {self.incarnation})"
        return self.topic


def frame_schema_id(column: str, *, is_base64_possible: bool) -> str:
    """Return SQL for the id of the schema in the frame of a landed text; null if it has no frame.

    A frame is byte 0, an id below 2^24, and a payload.
    """
    text = f"cast({column} as binary)"
    head = f"try_to_binary(substring({column}, 1, 8), 'base64')"
    encoded = ""
    if is_base64_possible:
        encoded = (
            f"when startswith({column}, 'AA') and {column} rlike '{BASE64_FRAME}'"
            f" then {ID.format(bytes=head)}"
        )
    framed = f"when {FRAME.format(bytes=text)} then {ID.format(bytes=text)}"
    return f"nullif(case {framed} {encoded} end, 0)"


def schema_id_metrics() -> list[Column]:
    """Return metrics for an Observation of raw: the schemas in values and keys, by topic."""
    metrics = []
    for part, is_base64_possible in PARTS.items():
        id_ = frame_schema_id(part, is_base64_possible=is_base64_possible)
        name = f"if({id_} is null, null, struct(topic, topic_incarnation, {id_} as id))"
        metrics.append(F.to_json(F.collect_set(F.expr(name))).alias(f"schemas of {part}"))
    return metrics


def read_schema_names(metrics: dict[str, Any]) -> set[SchemaName]:
    """Return the schemas that schema_id_metrics() has observed."""
    return {
        SchemaName(one["topic"], one["topic_incarnation"], one["id"])
        for part in PARTS
        for one in json.loads(metrics[f"schemas of {part}"] or "[]")
    }
