"""The messages and settings of tests/cases/<format>/<case>, see tests/golden/test_cases.py."""

import json

import yaml

# The columns of an event that say where its message is and when it landed.
COORDINATES = {
    "kafka_topic",
    "topic_incarnation",
    "kafka_partition",
    "kafka_offset",
    "row_index",
    "kafka_timestamp",
    "landed_at",
    "landing_batch",
}
# The columns of an event that say what its message means.
MEANING = [
    "event_kind",
    "operation",
    "row_key",
    "previous_row_key",
    "before_row",
    "after_row",
    "image",
    "source_tenant",
    "source_database",
    "source_schema",
    "source_table",
    "removed_columns",
]


def name_of(folder):
    """Return the name of a case, which is its topic."""
    return f"{folder.parent.name}.{folder.name}"


def read_messages(folder):
    """Return the case's messages as Project.land takes them."""
    if (folder / "messages.kcat.jsonl").exists():
        lines = [
            json.loads(line)
            for line in (folder / "messages.kcat.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        return [
            {
                "topic": name_of(folder),
                "partition": line.get("partition", 0),
                "offset": line.get("offset", at),
                "key": line.get("key"),
                "value": line.get("payload"),
                "headers": [
                    (k, v.encode()) for k, v in zip(*[iter(line.get("headers") or [])] * 2)
                ],
            }
            for at, line in enumerate(lines)
        ]
    text = (folder / "messages.jsonl").read_bytes().decode("utf-8")
    return [
        {"topic": name_of(folder), "value": line or None}
        for line in text.removesuffix("\n").split("\n")
    ]


def read_yaml(file):
    """Return the mapping of a YAML file, which may be missing."""
    return yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else {}


def expected_findings_of(folder):
    """Return what the checks find in a case that is no healthy stream on purpose."""
    return read_yaml(folder / "expected_findings.yml")


def settings_of(folder):
    """Return the case's lines of topics, tables and sequence_resets."""
    settings = read_yaml(folder / "settings.yml")
    topic = {
        "topic": name_of(folder),
        "format": folder.parent.name,
        "source": name_of(folder),
        **settings.get("topic", {}),
    }
    if topic["source"] is None:
        del topic["source"]
    tables = [{"source": topic.get("source"), **line} for line in settings.get("tables", [])]
    return (
        topic,
        [{k: v for k, v in line.items() if v is not None} for line in tables],
        [{"topic": name_of(folder), **line} for line in settings.get("sequence_resets", [])],
    )


def numbered(messages):
    """Return messages with their offsets."""
    return [{"offset": at, **message} for at, message in enumerate(messages)]
