"""Frames of messages: byte 0, the schema's id in four bytes, and then the payload."""

import json
from typing import Any, NamedTuple

from pyspark.sql import Column
from pyspark.sql import functions as F

FRAME = r"substring({bytes}, 1, 2) = X'0000' and octet_length({bytes}) > 5"
ID = "cast(conv(hex(substring({bytes}, 2, 4)), 16, 10) as int)"
BASE64_FRAME = "^AA[A-D][A-Za-z0-9+/]{5}"
MAX_IDS = 10_000  # of the values or the keys of a commit
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


def schema_id_metrics(*, is_bounded: bool = False, excluded: str = "false") -> list[Column]:
    """Return metrics for an Observation of raw: the schemas in values and keys, by topic.

    Args:
        is_bounded: Whether MAX_IDS schemas are enough, the most frequent ones. Binary messages
            without frames can look like millions of schemas.
        excluded: A SQL condition for topics whose schemas are not needed.
    """
    metrics = []
    for part, is_base64_possible in PARTS.items():
        id_ = frame_schema_id(part, is_base64_possible=is_base64_possible)
        name = f"if({excluded}, null, concat({id_}, ' ', topic_incarnation, ' ', topic))"
        # Exact up to MAX_IDS schemas. It counts null as an item, too.
        bounded = f"approx_top_k({name}, {MAX_IDS}, {MAX_IDS}).item"
        names = F.expr(bounded if is_bounded else f"collect_set({name})")
        metrics.append(F.to_json(names).alias(f"schemas of {part}"))
    return metrics


def read_schema_names(metrics: dict[str, Any]) -> set[SchemaName]:
    """Return the schemas that schema_id_metrics() has observed."""
    names = set()
    for part in PARTS:
        for text in json.loads(metrics[f"schemas of {part}"] or "[]"):
            if text is not None:
                id_, incarnation, topic = text.split(" ", 2)
                names.add(SchemaName(topic, int(incarnation), int(id_)))
    return names
