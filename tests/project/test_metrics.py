"""The metrics of `kafka-cdc metrics`, and the alert rules and the dashboard that read them.

Needs no Spark.

tests/integration/test_monitoring.py checks the facts of a lake.
"""

import json
import re
import shutil
import subprocess

import made_up_facts
import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from conftest import HOME
from kafka_cdc.metrics import exposition, facts
from kafka_cdc.report.facts import LastRun, Node, Topic

pytestmark = pytest.mark.unit
EXAMPLES = HOME / "examples" / "monitoring"
NAME = re.compile(r"kafka_cdc_[a-z_]+")
HOSTILE = 'a"b\\c\nd{topic="x"} 9'
UNITS = ("_seconds", "_bytes", "_total")
COUNTED = ("_messages", "_changes", "_tables", "_nodes", "_findings")
"""Ends of gauges without a unit: they count things."""


def topic(name, **values):
    """Return a topic whose newest message landed at 1000."""
    known = {"formats": [], "sources": [], "messages": 7, "changes": 5, "rejected": 2}
    times = {"occurred_at": 900, "kafka_at": 940, "landed_at": 1000, "published_until": 800}
    return Topic(name, **{**known, **times, "waiting_messages": 3, **values})


FACTS = facts.Facts(
    generated_at=2000,
    publication=made_up_facts.publication(
        published_until=1500, waiting_messages=3, unread_messages=4
    ),
    topics=[
        topic("orders"),
        topic(HOSTILE, occurred_at=None, kafka_at=None, published_until=None),
    ],
    rejected=[facts.Rejected("orders", "missing_key", 2)],
    unread=[facts.Unread("orders", "lost", 50)],
    held=[facts.TableChanges("shop", "d.t", 42), facts.TableChanges("shop", "d.u", 0)],
    broken=[facts.TableChanges("shop", "d.t", 3)],
    findings=[facts.Findings("orders", 0), facts.Findings(HOSTILE, 1)],
    bytes={"raw.kafka_messages": 123456},
    last_run=LastRun(1900, "build", 61.5, [Node("a", "model", "error", 1.0)]),
)
EMPTY = facts.Facts(2000, made_up_facts.publication(published_until=None))


def read(text):
    """Return the metrics of a text: name and labels to the value."""
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_the_metrics_have_the_values_of_the_facts():
    found = read(exposition.render(FACTS))
    orders, hostile = ("topic", "orders"), ("topic", HOSTILE)
    table = ("source", "shop"), ("table", "d.t")
    expected = {
        ("topic_messages_total", orders): 7,
        ("topic_messages_total", hostile): 7,
        ("topic_changes_total", orders): 5,
        ("rejected_messages_total", ("code", "missing_key"), orders): 2,
        ("unread_offsets_total", ("outcome", "lost"), orders): 50,
        ("topic_last_message_timestamp_seconds", orders): 940,
        ("topic_last_message_timestamp_seconds", hostile): 1000,
        ("topic_last_landing_timestamp_seconds", orders): 1000,
        ("topic_published_timestamp_seconds", orders): 800,
        ("topic_lag_seconds", orders): 100,
        ("topic_waiting_messages", orders): 3,
        ("topic_findings", orders): 0,
        ("topic_findings", hostile): 1,
        ("held_tables",): 2,
        ("table_withheld_changes", *table): 42,
        ("broken_chain_tables",): 1,
        ("table_broken_chain_changes", *table): 3,
        ("published_timestamp_seconds",): 1500,
        ("unread_messages",): 4,
        ("waiting_messages",): 3,
        ("table_size_bytes", ("table", "raw.kafka_messages")): 123456,
        ("last_run_timestamp_seconds",): 1900,
        ("last_run_duration_seconds",): 61.5,
        ("last_run_failed_nodes",): 1,
        ("metrics_timestamp_seconds",): 2000,
    }
    assert {
        (f"kafka_cdc_{name}", *labels): value for (name, *labels), value in expected.items()
    }.items() <= found.items()
    # What is unknown has no sample.
    assert ("kafka_cdc_topic_lag_seconds", hostile) not in found
    assert ("kafka_cdc_topic_published_timestamp_seconds", hostile) not in found


def test_an_empty_lake_has_zeros_and_no_unknown_values():
    found = read(exposition.render(EMPTY))
    assert found[("kafka_cdc_held_tables",)] == 0
    assert ("kafka_cdc_published_timestamp_seconds",) not in found
    assert ("kafka_cdc_last_run_duration_seconds",) not in found


def families():
    """Return the metrics as Prometheus reads them."""
    return list(text_string_to_metric_families(exposition.render(FACTS)))


def test_names_and_units_follow_the_conventions():
    """A name ends with a base unit or a counted thing, and that of a counter with _total.

    Each metric has a sentence.
    """
    for family in families():
        names = {sample.name for sample in family.samples}
        assert len(names) == 1, family.name
        name = names.pop()
        assert NAME.fullmatch(name)
        assert name.endswith("_total") == (family.type == "counter"), name
        assert name.endswith((*UNITS, *COUNTED)), name
        assert re.fullmatch(r"[A-Z].*\.", family.documentation), name


def known_labels():
    """Return the labels of each metric."""
    return {sample.name: set(sample.labels) for family in families() for sample in family.samples}


def expressions():
    """Return the expressions of the alert rules and of the dashboard."""
    rules = yaml.safe_load((EXAMPLES / "alert_rules.yml").read_text(encoding="utf-8"))
    dashboard = json.loads((EXAMPLES / "grafana_dashboard.json").read_text(encoding="utf-8"))
    found = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    found += [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    return found


def test_examples_read_metrics_that_exist():
    """Each metric and each label of the expressions and legends is one of the metrics."""
    labels = known_labels()
    assert len(expressions()) >= 20
    for expression in expressions():
        names = NAME.findall(expression)
        assert names and set(names) <= labels.keys(), expression
        for name, selected in re.findall(r"(kafka_cdc_\w+)\{([^}]*)\}", expression):
            assert set(re.findall(r"(\w+)=~?\"", selected)) <= labels[name], expression
    used = {name for expression in expressions() for name in NAME.findall(expression)}
    unused = labels.keys() - used
    assert unused == {
        "kafka_cdc_topic_last_landing_timestamp_seconds",
        "kafka_cdc_topic_published_timestamp_seconds",
        "kafka_cdc_topic_waiting_messages",
        "kafka_cdc_last_run_timestamp_seconds",
    }


def test_alert_rules_have_what_prometheus_needs():
    """A name, an expression, a severity and sentences whose labels the metric has."""
    rules = yaml.safe_load((EXAMPLES / "alert_rules.yml").read_text(encoding="utf-8"))
    labels = known_labels()
    names = []
    for rule in rules["groups"][0]["rules"]:
        assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
        assert re.fullmatch(r"[A-Z]\w+", rule["alert"])
        assert re.fullmatch(r"\d+[smhd]", rule.get("for", "1m"))
        assert rule["labels"]["severity"] in ("warning", "critical")
        assert rule["annotations"].keys() == {"summary", "action"}
        has = set.intersection(*(labels[name] for name in NAME.findall(rule["expr"])))
        assert set(re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"])) <= has
        names.append(rule["alert"])
    assert len(names) == len(set(names))


def test_the_dashboard_fits_its_grid():
    """Panels have ids of their own, do not overlap, and are at most 24 columns wide."""
    dashboard = json.loads((EXAMPLES / "grafana_dashboard.json").read_text(encoding="utf-8"))
    panels = dashboard["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) >= 10
    cells = [
        (panel["gridPos"]["x"] + x, panel["gridPos"]["y"] + y)
        for panel in panels
        for x in range(panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["h"])
    ]
    assert len(cells) == len(set(cells)) and max(x for x, _ in cells) == 23
    variables = {variable["name"] for variable in dashboard["templating"]["list"]}
    text = json.dumps(panels)
    used = set(re.findall(r"\$\{?([a-z]\w*)", text)) - {"__rate_interval"}
    assert used <= variables


def test_every_metric_is_documented():
    page = (HOME / "docs" / "operations" / "metrics.md").read_text(encoding="utf-8")
    assert {name for name in known_labels() if f"`{name}`" not in page} == set()


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed")
def test_promtool_accepts_metrics_and_rules():
    """`apt-get install prometheus` brings promtool."""
    rules = ["promtool", "check", "rules", str(EXAMPLES / "alert_rules.yml")]
    checked = subprocess.run(rules, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    text = exposition.render(FACTS)
    metrics = ["promtool", "check", "metrics"]
    checked = subprocess.run(metrics, input=text, capture_output=True, text=True, check=False)
    assert checked.returncode == 0 and not checked.stderr, checked.stderr


def lost(given, read, path="dashboard"):
    """Yield the paths of values that a reader of dashboards does not keep."""
    if isinstance(given, dict) and isinstance(read, dict):
        for name, value in given.items():
            yield from lost(value, read.get(name), f"{path}.{name}")
    elif isinstance(given, list) and isinstance(read, list) and len(given) == len(read):
        for at, (one, other) in enumerate(zip(given, read)):
            yield from lost(one, other, f"{path}[{at}]")
    elif given != read:
        yield path


def test_the_dashboard_has_only_what_grafana_knows():
    """Classes that Grafana generates from its schema keep each name and value of it.

    They ignore what they do not know, such as a misspelled option.
    """
    pytest.importorskip("grafana_foundation_sdk", reason="it is in the extra kafka_cdc[test]")
    from grafana_foundation_sdk.cog.encoder import JSONEncoder
    from grafana_foundation_sdk.cog.plugins import register_default_plugins
    from grafana_foundation_sdk.models.dashboard import Dashboard

    def read(dashboard):
        return json.loads(JSONEncoder().encode(Dashboard.from_json(dashboard)))

    register_default_plugins()
    dashboard = json.loads((EXAMPLES / "grafana_dashboard.json").read_text(encoding="utf-8"))
    assert list(lost(dashboard, read(dashboard))) == []
    panel = dashboard["panels"][0]
    panel["options"]["colourMode"] = "value"
    panel["targets"][0]["legend"] = "a"
    panel["gridpos"] = {}
    assert list(lost(dashboard, read(dashboard))) == [
        "dashboard.panels[0].targets[0].legend",
        "dashboard.panels[0].options.colourMode",
        "dashboard.panels[0].gridpos",
    ]
