"""Avro schemas as the schemas of Kafka Connect's JSON converter."""

from typing import Any

CONNECT_TYPES = {
    "int": "int32",
    "long": "int64",
    "fixed": "bytes",
    "enum": "string",
    "record": "struct",
}
LOGICAL_NAMES = {
    "decimal": "Decimal",
    "date": "Date",
    "time-millis": "Time",
    "timestamp-millis": "Timestamp",
}
NamedTypes = dict[str, dict[str, Any]]


def connect_schema(avro: Any) -> dict[str, Any] | None:
    """Return the types that Kafka Connect gave a record; None if it is not Connect's."""
    members = without_null(avro) if isinstance(avro, list) else [avro]
    if len(members) != 1 or not isinstance(members[0], dict):
        return None
    is_connect_record = members[0].get("type") == "record" and "connect.name" in members[0]
    return connect_type(members[0], "", {}) if is_connect_record else None


def connect_type(avro: Any, namespace: str, named_types: NamedTypes) -> dict[str, Any]:
    """Return an Avro type as the JSON converter writes it: type, name, parameters, and its parts.

    Args:
        avro: The type.
        namespace: The namespace of names without one.
        named_types: The named types so far, by full name. The types of `avro` are added.
    """
    if isinstance(avro, list):
        members = without_null(avro)
        if len(members) == 1:
            return connect_type(members[0], namespace, named_types)
        return {"type": "struct"}
    if isinstance(avro, str):
        full_name = avro if "." in avro or not namespace else f"{namespace}.{avro}"
        known = named_types.get(full_name) or named_types.get(avro)
        return known or {"type": CONNECT_TYPES.get(avro, avro)}
    kind = avro["type"]
    if not isinstance(kind, str):
        return connect_type(kind, namespace, named_types)
    result: dict[str, Any] = {"type": avro.get("connect.type") or CONNECT_TYPES.get(kind, kind)}
    if "name" in avro:
        name = avro["name"]
        namespace = avro.get("namespace", name.rpartition(".")[0] or namespace)
        short_name = name.rpartition(".")[2]
        named_types[f"{namespace}.{short_name}" if namespace else name] = result
    logical_name = LOGICAL_NAMES.get(avro.get("logicalType", ""))
    if logical_name:
        result["name"] = f"org.apache.kafka.connect.data.{logical_name}"
    if "connect.name" in avro:
        result["name"] = avro["connect.name"]
    if "connect.parameters" in avro:
        result["parameters"] = avro["connect.parameters"]
    elif "scale" in avro or logical_name == "Decimal":
        result["parameters"] = {
            "scale": str(avro.get("scale", 0)),
            "connect.decimal.precision": str(avro.get("precision", 64)),
        }
    if kind == "record":
        result["fields"] = [
            {"field": field["name"], **connect_type(field["type"], namespace, named_types)}
            for field in avro["fields"]
        ]
    elif kind in ("array", "map"):
        part = "items" if kind == "array" else "values"
        result[part] = connect_type(avro[part], namespace, named_types)
    return result


def without_null(union: list[Any]) -> list[Any]:
    """Return the members of a union except null."""
    return [member for member in union if member != "null"]
