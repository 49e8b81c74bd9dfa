"""Random histories in many vendors' messages: current_state and row_history equal the model's, however they were delivered.

source_model.py makes the histories and the expectation. Each variant delivers the same messages under its own topics and databases,
so that the same few runs read them all: in order, all at once, backwards, all again under new offsets, and shuffled with some
duplicates. Messages are delivered again only if something other than the offset orders them. Otherwise the last delivery counts.

Some tables are held (setting hold). HELD_FIRST are held in the first run: they are absent. HELD_LATER are held from the second run
on: they keep the state of the first run. Of a stream all tables are held, or those of one database.
"""

import os
import random
from pathlib import Path

import pytest
from oracle import assert_defined_rows
from source_model import STREAMS, VARIANT
from tools.cte_expansions import count_expansions

from conftest import LAKE

SEED = int(os.environ.get("KAFKA_CDC_SEED", "20261121"))
IS_LONG = bool(os.environ.get("KAFKA_CDC_LONG"))
# One stream of each way to order changes and to write rows. With --long, all.
# Rows of drs_default are in merged_rows.
FEW = "drs_default,drs_epochs,canal_timestamp,debezium_postgresql,dataworks,drs_oracle,mongodb"
CHOSEN = {
    name: STREAMS[name]
    for name in os.environ.get("KAFKA_CDC_STREAMS", ",".join(STREAMS) if IS_LONG else FEW).split(
        ","
    )
}
ROUNDS, STEPS, RUNS, SHUFFLES = (10, 40, 3, 100) if IS_LONG else (1, 45, 2, 2)
VARIANTS = [
    "inorder",
    "atonce",
    "backwards",
    "allagain",
    *(f"shuffled{number}" for number in range(SHUFFLES)),
]
HELD_FIRST, HELD_LATER = "shuffled0", "shuffled1"
MOST_EXPANSIONS = 15  # of a CTE, in a stream with renames, resets and primary-key updates
STATE = ["--select", "+current_state", "row_history", "--exclude", "staging"]


def delivered(variant, stream, chance):
    """Return a variant's messages, a list for each run."""
    messages, offsets = list(stream.messages), stream.offsets.copy()
    if stream.has_sequence and variant.startswith(("allagain", "shuffled")):
        # What comes again after an epoch began counts as of that epoch.
        again = [
            message
            for message in messages[getattr(stream, "restarted", 0) :]
            if variant == "allagain" or chance.random() < 0.3
        ]
        if variant != "allagain":
            chance.shuffle(again)
        for message in again:
            messages.append({**message, "offset": offsets[message["partition"]]})
            offsets[message["partition"]] += 1
    if variant.startswith("shuffled"):
        chance.shuffle(messages)
    if variant == "backwards":
        messages.reverse()
    if variant == "atonce":
        return [[]] * (RUNS - 1) + [messages]
    cuts = [0, *sorted(chance.randrange(len(messages)) for _ in range(RUNS - 1)), len(messages)]
    return [messages[begin:end] for begin, end in zip(cuts, cuts[1:])]


def addressed(messages, name, variant):
    """Return messages of a stream under the topic and in the databases of a variant."""
    named = lambda text: text and text.replace(VARIANT, variant)
    return [
        {
            **message,
            "topic": f"{name}.{variant}",
            "value": named(message["value"]),
            "key": named(message["key"]),
        }
        for message in messages
    ]


def held_tables(variant, chance):
    """Return entries of the setting tables that hold a variant's tables: per stream all, or those of one database."""
    return [
        {"table": f"*h0_{chance.choice(['', 'other_'])}{variant}*", "source": name, "hold": True}
        if chance.random() < 0.5
        else {"table": f"*_{variant}*", "source": name, "hold": True}
        for name in CHOSEN
    ]


@pytest.fixture(scope="module", params=range(ROUNDS))
def built(project, request):
    """The expectation after each run, and what was found: state and history by variant after each run, and after a replay."""
    chance = random.Random(SEED + request.param)
    streams = {name: kind(chance, 0, STEPS) for name, kind in CHOSEN.items()}
    assert all(len(stream.messages) > STEPS / 2 for stream in streams.values())
    topics = [
        {"topic": f"{name}.*", "format": kind.slug, "source": name, **kind.topic}
        for name, kind in CHOSEN.items()
    ]
    tables = [
        {"table": "*", "source": name, **kind.table} for name, kind in CHOSEN.items() if kind.table
    ]
    sequence_resets = [
        {"topic": f"{name}.{variant}", **line}
        for name, stream in streams.items()
        for variant in VARIANTS[:10]
        for line in stream.sequence_resets
    ]
    built = project(
        f"state_{request.param}",
        topics=topics,
        tables=tables,
        sequence_resets=sequence_resets,
        compaction_threshold=0,
        check_chains="warn",
    )
    runs, states, histories = [[] for _ in range(RUNS)], [{} for _ in range(RUNS)], {}
    for name, stream in streams.items():
        histories |= {
            (name, *place): versions
            for place, versions in stream.expected.history(stream.row_key).items()
        }
        for variant in VARIANTS[:10] if stream.sequence_resets else VARIANTS:
            end = 0
            for run, messages in enumerate(delivered(variant, stream, chance)):
                runs[run] += addressed(messages, name, variant)
                if variant == "inorder":
                    end += len(messages)
                    states[run] |= {
                        (name, *place): row
                        for place, row in (stream.states[end - 1] if end else {}).items()
                    }
    found, held, alarms = [], [], []
    holds = [held_tables(HELD_FIRST, chance), held_tables(HELD_LATER, chance)]
    watched = [VARIANTS[0], HELD_FIRST, HELD_LATER]
    for number, messages in enumerate(runs):
        built.settings["tables"] = holds[min(number, 1)] + tables
        chance.shuffle(messages)
        begin = 0
        for end in sorted(chance.sample(range(len(messages)), 2)) + [len(messages)]:
            built.land(messages[begin:end])
            begin = end
        # In the first run everything is merged, in later ones events may wait.
        built.dbt("run", *STATE, compaction_threshold=1000 * (number and chance.randrange(2)))
        assert_defined_rows(built, f"run {number}")
        found.append(
            (
                state_of(built, VARIANTS if messages is runs[-1] else watched),
                history_of(built),
            )
        )
        held.append(tables_of(built, "table_holds"))
        alarms += built.query("select * from {cdc}.chain_breaks where is_alarm")
    rows = built.query("select count(*) as number from {cdc}.merged_rows where row_key is not null")
    changes = built.query("select count(*) as number from {cdc}.events where event_kind = 'change'")
    assert 0 < rows[0]["number"] < changes[0]["number"]  # so what is merged is really less
    built.settings["tables"] = tables
    built.dbt("run", *STATE)
    assert_defined_rows(built, "released")
    found.append((state_of(built), history_of(built)))
    held.append(tables_of(built, "table_holds"))
    built.dbt("run", *STATE)  # merges what was left out
    assert_defined_rows(built, "merged again")
    built.dbt("run", *STATE, replay="all")
    assert_defined_rows(built, "replayed")
    found.append((state_of(built), history_of(built)))
    return built, states, histories, found, held, alarms


def tables_of(built, relation):
    """Return the source tables in a relation: source, database, schema and table as a set."""
    return {
        tuple(row.values())
        for row in built.query(
            f"select distinct source_name, source_database, source_schema, source_table from {{cdc}}.{relation}"
        )
    }


def place_of(row):
    """Return a row's variant, and its table and key as the model names them."""
    variant = row["kafka_topic"].split(".")[1]
    parts = [row["source_database"], row["source_schema"], row["source_table"]]
    return variant, (
        row["source_name"],
        *(part.replace("_" + variant, "_" + VARIANT) for part in parts),
        row["row_key"],
    )


def state_of(built, wanted=VARIANTS):
    """Return current_state by variant, then by table and key, of the given variants."""
    variants = {variant: {} for variant in wanted}
    topics = (
        "true"
        if wanted is VARIANTS
        else " or ".join(f"kafka_topic like '%.{variant}'" for variant in wanted)
    )
    for row in built.query(f"select * from {{cdc}}.current_state where {topics}"):
        variant, place = place_of(row)
        assert place not in variants[variant], f"a row twice: {place}"
        variants[variant][place] = {
            name: row[name]
            for name in (
                "row_values",
                "incomplete_columns",
                "last_operation",
                "occurred_at",
                "sequence_generation",
                "source_sequence",
                "column_types",
            )
        }
    return variants


def history_of(built):
    """Return row_history by variant, then by table and key, with versions as in the model."""
    variants = {variant: {} for variant in VARIANTS}
    for row in built.query(
        "select *, unix_micros(valid_from) as began, unix_micros(valid_to) as ended from {cdc}.row_history"
    ):
        variant, place = place_of(row)
        variants[variant].setdefault(place, []).append(
            (row["row_values"], row["began"], row["ended"], row["is_current"])
        )
    for places in variants.values():
        for versions in places.values():
            versions.sort(key=lambda version: (version[1], version[2] or float("inf")))
    return variants


def micros(time):
    return None if time is None else int(time.timestamp() * 1_000_000)


def as_found(histories):
    """Return the model's versions as history_of has them."""
    return {
        place: [
            (row, micros(begin), micros(end), is_current)
            for row, begin, end, is_current in versions
        ]
        for place, versions in histories.items()
    }


def assert_same(found, expected, where):
    """Fail if two mappings differ. Report the number of differences, some of them, and how to repeat the histories."""
    different = [
        place
        for place in sorted(found.keys() | expected.keys(), key=str)
        if found.get(place) != expected.get(place)
    ]
    if different:
        shown = "".join(
            f"\n{place}\n    found    {found.get(place)}\n    expected {expected.get(place)}"
            for place in different[:4]
        )
        pytest.fail(
            f"{where}: {len(different)} of {len(expected)} differ (KAFKA_CDC_SEED={SEED}){shown}",
            pytrace=False,
        )


def of_stream(places, stream):
    return {place: row for place, row in places.items() if place[0] == stream}


def values_of(state):
    return {place: row["row_values"] for place, row in state.items()}


def variants_of(kind):
    return [
        variant
        for variant in VARIANTS
        if kind is not STREAMS["drs_epochs"] or variant in VARIANTS[:10]
    ]


def test_every_message_is_parsed(built):
    rejected = built[0].query(
        "select kafka_topic, kafka_offset, reject_code, reject_detail from {cdc}.events where event_kind = 'rejected'"
    )
    assert rejected[:3] == []


@pytest.mark.parametrize("stream", CHOSEN)
@pytest.mark.parametrize("run", range(RUNS))
def test_the_state_follows_the_source(built, stream, run):
    _, states, histories, found, *_ = built
    expected = of_stream(states[run], stream)
    assert expected or of_stream(histories, stream)  # a history may leave no row, but has had one
    assert_same(
        of_stream(values_of(found[run][0]["inorder"]), stream), expected, f"after run {run}"
    )


@pytest.mark.parametrize("stream", CHOSEN)
def test_every_variant_ends_like_the_source(built, stream):
    _, states, _, found, *_ = built
    for variant in variants_of(CHOSEN[stream]):
        assert_same(
            of_stream(values_of(found[RUNS][0][variant]), stream),
            of_stream(states[-1], stream),
            variant,
        )


@pytest.mark.parametrize("stream", CHOSEN)
def test_every_variant_has_the_same_columns_at_the_end(built, stream):
    state = built[3][RUNS][0]
    for variant in variants_of(CHOSEN[stream]):
        assert_same(of_stream(state[variant], stream), of_stream(state["inorder"], stream), variant)


@pytest.mark.parametrize("stream", CHOSEN)
def test_every_variant_has_the_versions_of_the_source(built, stream):
    _, _, histories, found, *_ = built
    expected = as_found(of_stream(histories, stream))
    for variant in variants_of(CHOSEN[stream]):
        assert_same(of_stream(found[RUNS][1][variant], stream), expected, variant)


@pytest.mark.parametrize("stream", CHOSEN)
def test_no_row_is_incomplete(built, stream):
    """The streams contain every column of a row at least once, and a full image after at most two partial moves."""
    for variant, state in built[3][RUNS][0].items():
        incomplete = {
            place: row["incomplete_columns"] for place, row in of_stream(state, stream).items()
        }
        assert_same(incomplete, dict.fromkeys(incomplete), variant)


def test_a_replay_changes_nothing(built):
    (state, history), (state_before, history_before) = built[3][RUNS + 1], built[3][RUNS]
    for variant in VARIANTS:
        assert_same(state[variant], state_before[variant], variant)
        assert_same(history[variant], history_before[variant], variant)


def is_held(place, variant, held):
    """Return whether the table of a state's place is held in a variant."""
    name, database, schema, table, _ = place
    real = (part.replace("_" + VARIANT, "_" + variant) for part in (database, schema, table))
    return (name, *real) in held


def test_a_held_table_that_was_never_published_is_absent(built):
    state, history = built[3][0]
    held = built[4][0]
    assert held
    for places in (state, history):
        assert [place for place in places[HELD_FIRST] if is_held(place, HELD_FIRST, held)] == []
    assert any(is_held(place, HELD_FIRST, held) for place in built[3][RUNS][1][HELD_FIRST])


@pytest.mark.parametrize("stream", CHOSEN)
def test_a_held_table_keeps_its_state_and_the_others_follow(built, stream):
    _, states, histories, found, held, _ = built
    expected_now = of_stream(states[-1], stream), as_found(of_stream(histories, stream))
    for number, values in enumerate((values_of, dict)):
        before = of_stream(values(found[0][number][HELD_LATER]), stream)
        now = of_stream(values(found[RUNS - 1][number][HELD_LATER]), stream)
        expected = {
            place: rows
            for places, keeps in ((before, True), (expected_now[number], False))
            for place, rows in places.items()
            if is_held(place, HELD_LATER, held[RUNS - 1]) is keeps
        }
        assert_same(now, expected, ("state", "history")[number])


def test_a_hold_changes_something(built):
    """The tests of holds would pass without any, if all held tables were as before."""
    before, now, held = built[3][0][0], built[3][RUNS][0], built[4]
    assert [place for place in now[HELD_LATER] if is_held(place, HELD_LATER, held[RUNS - 1])]
    assert before[HELD_LATER] != now[HELD_LATER]
    assert held[RUNS] == set()


def test_no_chain_is_broken(built):
    """The sources lost nothing, so that no delivery of their messages looks like a loss."""
    assert built[5][:3] == []


@pytest.mark.parametrize("model", ["current_rows", "row_history"])
def test_spark_plans_no_cte_often(built, model):
    """References multiply: with two in each of seven CTEs, the first is planned a hundred times."""
    sql = Path(LAKE.name, "target/compiled/kafka_cdc/models/marts", f"{model}.sql").read_text()
    expansions = count_expansions(sql)
    assert expansions["captured_renames"] and expansions["key_changes"]
    assert expansions.most_common(1)[0][1] <= MOST_EXPANSIONS
