"""Runs that end between any two statements: analysts see a published state, and one rerun repairs everything.

From a random statement on, no statement of the run reaches Spark, as if its process were killed. test_crash.py kills
processes and is slower. source_model.py makes the histories and the expectations.
"""

import os
import random

from dbt.adapters.spark.session import Cursor
from source_model import STREAMS
from test_state import addressed, as_found, assert_same, history_of, state_of, values_of

SEED = int(os.environ.get("KAFKA_CDC_SEED", "20261121"))
CUTS, STEPS = (100, 400) if os.environ.get("KAFKA_CDC_LONG") else (1, 40)
CHOSEN = ["drs", "debezium_mysql"]
BUILD = ["build", "--select", "+current_state", "row_history", "--exclude", "staging"]


class Line:
    """The connection to Spark. It counts statements, and breaks before a given one."""

    def __init__(self, monkeypatch):
        self.statements, self.cut_at, execute = 0, None, Cursor.execute

        def execute_unless_cut(cursor, *arguments):
            self.statements += 1
            if self.cut_at is not None and self.statements > self.cut_at:
                raise ConnectionError("the line is cut")
            return execute(cursor, *arguments)

        monkeypatch.setattr(Cursor, "execute", execute_unless_cut)

    def counted(self, work):
        """Return the number of statements that some work sends."""
        before = self.statements
        work()
        return self.statements - before


def test_runs_that_end_after_any_statement(project, monkeypatch):
    chance = random.Random(SEED)
    streams = {name: STREAMS[name](chance, 0, STEPS) for name in CHOSEN}
    topics = [
        {"topic": f"{name}.*", "format": kind.slug, "source": name, **kind.topic}
        for name, kind in STREAMS.items()
        if name in CHOSEN
    ]
    tables = [
        {"table": "*", "source": name, **STREAMS[name].table}
        for name in CHOSEN
        if STREAMS[name].table
    ]
    interrupted = project("interrupted", topics=topics, tables=tables, compaction_threshold=0)
    landed = {name: 0 for name in CHOSEN}
    line, disturbed = Line(monkeypatch), 0

    def land(until):
        """Land the messages of all streams up to a share of them."""
        messages = []
        for name, stream in streams.items():
            end = int(len(stream.messages) * until)
            messages += addressed(stream.messages[landed[name] : end], name, "inorder")
            landed[name] = end
        chance.shuffle(messages)
        interrupted.land(messages)

    def expected():
        return {
            (name, *place): row
            for name, stream in streams.items()
            for place, row in stream.states[landed[name] - 1].items()
        }

    def state():
        return values_of(state_of(interrupted)["inorder"])

    land(1 / (CUTS + 1))
    statements = line.counted(lambda: interrupted.dbt(*BUILD))
    assert_same(state(), expected(), "undisturbed")
    for number in range(CUTS):
        before = expected()
        land((number + 2) / (CUTS + 1))
        line.cut_at = line.statements + chance.randrange(statements)
        where = f"cut {number} after {line.cut_at - line.statements} of {statements} statements (seed {SEED})"
        disturbed += not interrupted.invoke(
            *BUILD
        ).success  # it may have less to say than the longest run before
        line.cut_at = None
        seen = state()
        assert seen in (before, expected()), (
            f"{where}: what is seen is neither what the run before has published nor what this one has"
        )
        statements = max(statements, line.counted(lambda: interrupted.dbt(*BUILD)))
        assert_same(state(), expected(), where)
    assert disturbed > CUTS * 0.8
    versions = {
        (name, *place): found
        for name, stream in streams.items()
        for place, found in stream.expected.history(stream.row_key).items()
    }
    assert_same(history_of(interrupted)["inorder"], as_found(versions), "history")
