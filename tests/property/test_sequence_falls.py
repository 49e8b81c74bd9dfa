"""Late changes and resets in random histories of one partition: what the SQL that decides about them finds.

A source writes changes of a few tables with honest times, and its sequence starts again now and then. Its producer
delivers some changes late and some ranges again. The SQL sees each beginning of the stream, as a build would.
Staleness is computed here from the source's own order, and not from the rules of the SQL.
"""

import os
import random
from datetime import datetime, timedelta

import jinja2
import pytest

from conftest import HOME

SEED = int(os.environ.get("KAFKA_CDC_SEED", "20261128"))
HISTORIES = 300 if os.environ.get("KAFKA_CDC_LONG") else 60
BEGIN = datetime(2026, 1, 1)
TABLE_COLUMNS = ["source_name", "source_tenant", "source_database", "source_schema", "source_table"]
SCHEMA = (
    "kafka_topic string, topic_incarnation int, kafka_partition int, kafka_offset bigint, row_index int, "
    "source_name string, source_tenant string, source_database string, source_schema string, source_table string, "
    "sequence_generation int, source_sequence array<bigint>, occurred_at timestamp, row_key string, operation string"
)


def macro(name, **more):
    """Return a macro of monitoring, rendered without dbt and without settings."""
    stubs = {"get_table_columns": lambda: TABLE_COLUMNS, "has_table_setting": lambda *_: False}
    file = HOME / "macros" / "monitoring" / f"{name}.sql"
    template = jinja2.Environment().from_string(
        file.read_text(encoding="utf-8"), globals={"kafka_cdc": stubs | more}
    )
    return getattr(template.module, name)


def row_of(topic, offset, change):
    """Return a change as a row of SCHEMA."""
    table, sequence, time, key, *_ = change
    at = None if time is None else BEGIN + timedelta(seconds=time)
    names = ("s", "", "d", "", table)
    return (topic, 0, 0, offset, 0, *names, 0, [sequence], at, str(key), "update")


@pytest.fixture(scope="module")
def find_falls(spark):
    """Return a function: the falls in several streams of changes, by stream. No dbt is involved."""
    sql = macro("select_sequence_falls")("delivered_changes")

    def find(streams):
        rows = [
            row_of(str(number), offset, change)
            for number, changes in enumerate(streams)
            for offset, change in (
                changes.items() if isinstance(changes, dict) else enumerate(changes)
            )
        ]
        spark.createDataFrame(rows, SCHEMA).createOrReplaceTempView("delivered_changes")
        found = [{} for _ in streams]
        for row in spark.sql(sql).collect():
            falls = found[int(row.kafka_topic)].setdefault(row.source_table, [])
            falls.append((row.kafka_offset, row.is_undecided))
        return found

    return find


def of_one_table(text):
    """Return changes of one table from a text of sequence@time, without @time if the time is missing."""
    pairs = [part.partition("@") for part in text.split()]
    return [("t", int(at), int(time) if time else None, n) for n, (at, _, time) in enumerate(pairs)]


LATE, UNDECIDED, RESET = {}, True, False
EXAMPLES = {
    "in_order": ("1@1 2@2 3@3", LATE),
    "late": ("1@1 3@3 2@2", LATE),
    "late_in_the_same_second": ("1@1 3@3 2@3", UNDECIDED),
    "late_in_the_same_second_and_passed": ("1@1 5@3 2@3 3@3 4@3 6@3", LATE),
    "claims_the_latest_time": ("171@171 174@174 172@900", UNDECIDED),
    "claims_the_latest_time_and_is_passed": ("171@171 174@174 172@900 175@903", LATE),
    "passed_by_an_earlier_change": ("171@171 174@174 172@900 175@177", UNDECIDED),
    "passed_by_an_earlier_and_a_later_change": ("171@171 174@174 172@900 175@177 176@901", LATE),
    "no_times": ("1 3 2", UNDECIDED),
    "no_times_and_passed": ("1 3 2 4", LATE),
    "no_times_twice_low": ("1 5 2 3 6", RESET),
    "swapped_again_and_again": ("2@2 1@1 4@4 3@3 6@6 5@5", LATE),
    "swapped_again_and_again_with_times_of_arrival": ("2@1 1@2 4@3 3@4 6@5 5@6 7@7", LATE),
    "starts_again": ("90@1 91@2 1@3 2@4", RESET),
    "starts_again_and_passes": ("4@1 5@2 1@3 2@4 3@5 4@6 5@7 6@8", RESET),
    "starts_again_with_one_change": ("90@1 91@2 1@3", UNDECIDED),
    "starts_again_in_the_same_second": ("90@1 91@2 1@2 2@2", UNDECIDED),
    "the_highest_change_arrives_after_the_reset": ("89@1 1@4 90@2 2@5", RESET),
    "an_old_range_is_sent_again_under_new_positions": (
        "90@10 91@12 1@8 2@10 3@12 4@14 5@15",
        RESET,
    ),
}


def test_examples(find_falls):
    found = find_falls([of_one_table(text) for text, _ in EXAMPLES.values()])
    expected = [outcome if outcome == LATE else {"t": outcome} for _, outcome in EXAMPLES.values()]
    first = [{table: falls[0][1] for table, falls in stream.items()} for stream in found]
    assert dict(zip(EXAMPLES, first)) == dict(zip(EXAMPLES, expected))


def test_tables_that_take_turns_are_compared_separately(find_falls):
    """No table falls. A quiet table is decided by the next changes of others in the partition."""
    turns = [("one", 50, 1, 1), ("two", 3, 1, 1), ("one", 51, 2, 1), ("two", 4, 2, 1)]
    late = [("t", 71, 1, 1), ("t", 74, 4, 1), ("t", 72, 4, 2)]
    reset = [("t", 90, 1, 1), ("t", 1, 3, 1)]
    assert find_falls(
        [turns, late, [*late, ("u", 75, 5, 1)], [*reset, ("u", 2, 4, 1), ("t", 95, 9, 1)]]
    ) == [{}, {"t": [(2, True)]}, {}, {"t": [(1, False)]}]


def history(chance, resets):
    """Return the delivered changes of a source: table, sequence, time, key, and the position in the source's order."""
    source, sequence, time = [], chance.randint(1, 500), 0
    begins = sorted(chance.sample(range(20, 60), resets))
    for order in range(chance.randint(60, 80)):
        time += chance.choice([0, 0, 1, 2])
        sequence += chance.randint(1, 4)
        if order in begins:
            time += chance.randint(1, 3)
            sequence = chance.randint(1, 1 + max(change[1] for change in source) // 4)
        source.append((chance.choice("tuv"), sequence, time, chance.randint(1, 4), order))
    lateness = chance.choice([0, 0.05, 0.3])
    arrival = lambda change: change[4] + (chance.random() < lateness) * chance.randint(1, 8) + 0.5
    delivered = sorted(source, key=arrival)
    for _ in range(chance.choice([0, 0, 1, 2])):
        end = chance.randint(1, len(delivered))
        begin = max(0, end - chance.randint(1, 12))
        if len({sum(change[4] >= at for at in begins) for change in delivered[begin:end]}) == 1:
            delivered[end:end] = delivered[begin:end]
    return delivered


def stale_tables(changes):
    """Return the tables in which a change with a higher sequence beats one that the source made later."""
    latest, highest = {}, {}
    for change in changes:
        row = change[0], change[3]
        latest[row] = max(latest.get(row, -1), change[4])
        highest[row] = max(highest.get(row, (-1, -1)), (change[1], change[4]))
    return {table for (table, key), (_, order) in highest.items() if order != latest[table, key]}


@pytest.mark.parametrize("resets", [0, 1, 2])
def test_random_histories(find_falls, resets):
    """Every stale table is held after each change. Without a reset, no hold outlasts the change that decides it."""
    chance = random.Random(SEED + resets)
    streams = [
        changes[:end]
        for changes in (history(chance, resets) for _ in range(HISTORIES))
        for end in {*chance.sample(range(1, len(changes)), 12), len(changes)}
    ]
    stale = [stale_tables(changes) for changes in streams]
    found = find_falls(streams)
    assert any(stale) == bool(resets)
    for changes, tables, falls in zip(streams, stale, found):
        assert tables <= falls.keys(), (SEED, changes)
        for fall in sum(falls.values(), []) if not resets else []:
            assert fall[1], (SEED, changes)
            assert max(change[1] for change in changes) in [c[1] for c in changes[: fall[0]]]


STATS = (
    "landing_batch bigint, kafka_topic string, topic_incarnation int, kafka_partition int, "
    + "".join(f"{name} string, " for name in TABLE_COLUMNS)
    + "first_change {0}, last_change {0}, lowest_sequence array<bigint>, highest_sequence array<bigint>, "
    "first_fall struct<kafka_offset: bigint, previous_offset: bigint>, sequence_falls bigint, "
    "sequenced_changes bigint, last_occurred_at timestamp"
).format(
    "struct<topic_incarnation: int, kafka_offset: bigint, row_index: int, source_sequence: array<bigint>>"
)


def statistics(topic, batch, changes):
    """Return the rows of event_batch_stats of a landing batch: a mapping of offset to change."""
    for table in sorted({change[0] for change in changes.values()}):
        own = [(at, [c[1]], c[2]) for at, c in sorted(changes.items()) if c[0] == table]
        falls = [
            (at, before) for (before, high, _), (at, low, _) in zip(own, own[1:]) if low < high
        ]
        yield (
            *(batch, str(topic), 0, 0, "s", "", "d", "", table),
            *((0, own[at][0], 0, own[at][1]) for at in (0, -1)),
            *(min(sequence for _, sequence, _ in own), max(sequence for _, sequence, _ in own)),
            *(falls[0] if falls else None, len(falls), len(own)),
            BEGIN + timedelta(seconds=max(time for *_, time in own)),
        )


@pytest.mark.parametrize("is_shuffled", [False, True])
def test_a_build_reads_the_batches_that_decide(spark, find_falls, is_shuffled):
    """Builds that look at new batches and held tables only hold the same tables as one that reads all changes."""
    chance = random.Random(SEED)
    select = macro(
        "select_batches_around_sequence_resets",
        configured_reset_condition=lambda after, until: "(false)",
        sequence_generation=lambda **_: "0",
    )
    streams = [history(chance, resets) for resets in (0, 1, 2) for _ in range(HISTORIES // 4)]
    landings = []
    for number, changes in enumerate(streams):
        cuts = sorted(chance.sample(range(1, len(changes)), 5))
        parts = [
            {at: changes[at] for at in range(begin, end)}
            for begin, end in zip([0, *cuts], [*cuts, len(changes)])
        ]
        if is_shuffled:
            chance.shuffle(parts)
        landings.append([(number * 100 + at, part) for at, part in enumerate(parts)])
    held, stats = set(), []
    for build in range(6):
        new = [landed[build] for landed in landings]
        for number, (batch, part) in enumerate(new):
            stats += statistics(number, batch, part)
        batches = ", ".join(str(batch) for batch, _ in new)
        names = ", ".join(f"'{topic}{table}'" for topic, table in sorted(held)) or "''"
        unchecked = f"""(
            landing_batch in ({batches}) or before.landing_batch in ({batches})
            or concat(kafka_topic, source_table) in ({names})
        )"""
        spark.createDataFrame(stats, STATS).createOrReplaceTempView("batch_stats")
        chosen = spark.sql(select("batch_stats", unchecked)).collect()
        read = {row.landing_batch for row in chosen}
        tables = {(int(row.kafka_topic), row.source_table) for row in chosen}
        known = [landed[: build + 1] for landed in landings]
        found, expected = (
            [
                {at: c for batch, part in parts if batch in some for at, c in part.items()}
                for parts in known
            ]
            for some in (read, {batch for parts in known for batch, _ in parts})
        )
        found, expected = (
            {(number, table) for number, falls in enumerate(find_falls(some)) for table in falls}
            for some in (found, expected)
        )
        held = found & tables
        assert held == expected, (SEED, build)
    assert held
