"""Renders the facts of the report as one HTML file.

Nothing that comes from data is ever part of the HTML or of a script. The facts are JSON in a script
element of the type application/json, in which `<` is escaped. The page's script writes them as
text. The content security policy of the page allows only its own scripts and style, and no request.
"""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib.resources import files
from typing import Any

import jinja2

from kafka_cdc.report.facts import Arrival, Facts, Listing, Rejection

CHARTS = "chart.umd.min.js"
CHARTS_SHA256 = "48444a82d4edcb5bec0f1965faacdde18d9c17db3063d042abada2f705c9f54a"
"""The checksum of dist/chart.umd.min.js in the npm package chart.js 4.5.1."""
MAX_CELLS = 15_000
"""Cells of a chart: a topic in an interval. With more, the intervals become longer."""
INTERVALS = (1, 3, 6, 24)
"""Hours of an interval."""


def render(facts: Facts) -> str:
    """Return the HTML of the report."""
    package = files("kafka_cdc.report")
    charts = (package / CHARTS).read_text(encoding="utf-8")
    # The browser would ask for the source map if its tools are open.
    charts = charts.partition("//# sourceMappingURL")[0]
    scripts = [charts, (package / "page.js").read_text(encoding="utf-8")]
    style = (package / "page.css").read_text(encoding="utf-8")
    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(
        (package / "page.html").read_text(encoding="utf-8")
    )
    return template.render(
        policy=get_policy(scripts, style),
        data=to_script_json(to_data(facts)),
        style=style,
        scripts=scripts,
    )


def get_policy(scripts: Sequence[str], style: str) -> str:
    """Return a content security policy that allows these scripts and this style."""
    hashes = " ".join(get_hash(script) for script in scripts)
    return f"default-src 'none'; script-src {hashes}; style-src {get_hash(style)}; img-src data:"


def get_hash(text: str) -> str:
    """Return the hash of an inline script or style."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def to_script_json(value: object) -> str:
    """Return JSON for a script element. Without `<`, nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    text = text.encode("utf-8", "replace").decode()  # lone surrogates become question marks
    return text.replace("<", "\\u003c")


def to_data(facts: Facts) -> dict[str, Any]:
    """Return the facts as JSON values. A listing becomes its columns and rows, to be small."""
    arrivals, arrival_hours = widen_arrivals(facts.arrivals)
    rejections, rejection_hours = widen_rejections(facts.rejections)
    values = {each.name: to_json(getattr(facts, each.name)) for each in fields(facts)}
    return values | {
        "arrivals": to_json(arrivals),
        "arrival_hours": arrival_hours,
        "rejections": to_json(rejections),
        "rejection_hours": rejection_hours,
    }


def to_json(value: Any) -> Any:
    """Return a fact as a JSON value."""
    if isinstance(value, Listing):
        columns = [each.name for each in fields(value.rows[0])] if value.rows else []
        rows = [[to_json(getattr(row, name)) for name in columns] for row in value.rows]
        return {
            "columns": columns,
            "rows": rows,
            "total": value.total,
            "is_built": value.is_built,
        }
    if is_dataclass(value):
        return {each.name: to_json(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, float):
        return round(value, 2)
    if isinstance(value, (list, tuple)):
        return [to_json(each) for each in value]
    return value


def widen_arrivals(arrivals: Listing[Arrival]) -> tuple[Listing[Arrival], int]:
    """Return arrivals by intervals with few cells, and the hours of an interval."""
    counts = ("change_messages", "ddl", "control", "rejected", "changes")
    cells = {(row.topic, row.hour): [getattr(row, name) for name in counts] for row in arrivals}
    merged, hours = widen(cells)
    rows = [Arrival(topic, hour, *sums) for (topic, hour), sums in merged.items()]
    return Listing(rows, arrivals.total, arrivals.is_built), hours


def widen_rejections(rejections: Listing[Rejection]) -> tuple[Listing[Rejection], int]:
    """Return rejections by intervals with few cells, and the hours of an interval."""
    cells = {((row.topic, row.code), row.hour): [row.messages] for row in rejections}
    merged, hours = widen(cells)
    rows = [Rejection(topic, code, hour, sums[0]) for ((topic, code), hour), sums in merged.items()]
    return Listing(rows, rejections.total, rejections.is_built), hours


def widen(cells: Mapping[tuple[Any, int], Sequence[int]]) -> tuple[dict[Any, list[int]], int]:
    """Sum counts by series and interval, with the shortest interval that makes few cells.

    Args:
        cells: Series and hour to counts.

    Returns:
        Series and begin of an interval to counts, and the hours of an interval.
    """
    merged: dict[Any, list[int]] = {}
    for hours in INTERVALS:
        merged = {}
        for (series, hour), counts in cells.items():
            key = series, hour - hour % (hours * 3600)
            merged[key] = [a + b for a, b in zip(merged.get(key, [0] * 9), counts, strict=False)]
        if len(merged) <= MAX_CELLS:
            break
    return merged, hours
