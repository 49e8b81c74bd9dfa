"""Topics that are silent for too long: how often the rule is wrong, and that the SQL has the rule.

`is_silent` is the rule in Python. It is measured on a year of made-up topics, and compared with the
SQL on the same topics.
"""

import math
import random
from bisect import bisect_right
from datetime import datetime, timezone
from operator import sub

import pytest

SLOT, HOUR, DAY = 900, 3600, 86400  # seconds; landing runs each quarter of an hour
WINDOW, HISTORY, MIN_BATCHES = 56 * DAY, 28 * DAY, 20
YEAR, WARM_UP = 365 * DAY, 56 * DAY


def limit_of(times, factor=2):
    """Return how many seconds a topic may be silent after these landing batches.

    None if it is not judged.
    """
    recent = bisect_right(times, times[-1] - WINDOW) if times else 0
    if len(times) - recent < MIN_BATCHES or times[0] > times[-1] - HISTORY:
        return None
    gaps = [times[at] - times[at - 1] for at in range(max(recent, 1), len(times))]
    return max(HOUR, factor * max(gaps))


def is_silent(times, now, factor=2):
    """Return whether a topic with landing batches at these times is silent for too long."""
    limit = limit_of(times, factor)
    return limit is not None and limit < now - times[-1] <= WINDOW


def rhythm(kind, chance):
    """Return a function of the time: messages per hour of a topic with a rhythm."""
    rate = 10 ** chance.uniform(0, 2.2)
    hour = lambda time: time % DAY / HOUR
    is_workday = lambda time: time // DAY % 7 < 5
    few = chance.uniform(1, 6) / 24
    fewer = chance.uniform(3, 20) / (7 * 24)
    start = chance.randrange(24)
    return {
        "steady": lambda time: rate,
        "by day": lambda time: rate * max(0.02, -math.cos(2 * math.pi * hour(time) / 24)),
        "office hours": lambda time: rate if is_workday(time) and 8 <= hour(time) < 18 else 0,
        "quiet nights and weekends": lambda time: (
            rate * (1 if is_workday(time) else 0.05) * (1 if 7 <= hour(time) < 20 else 0.03)
        ),
        "few messages": lambda time: few,
        "fewer on weekends": lambda time: fewer * (1 if is_workday(time) else 0.1),
        "nightly load": lambda time: rate if hour(time) < 1 else rate * 0.01,
        "once a day": lambda time: 40 if start <= hour(time) < start + 0.25 else 0,
    }[kind]


KINDS = [
    "steady",
    "by day",
    "office hours",
    "quiet nights and weekends",
    "few messages",
    "fewer on weekends",
    "nightly load",
    "once a day",
]


def landings(kind, chance):
    """Return the times of the landing batches with messages of a topic.

    They last eight weeks and a year.
    """
    rate = rhythm(kind, chance)
    return [
        time + SLOT
        for time in range(0, WARM_UP + YEAR, SLOT)
        if chance.random() < 1 - math.exp(-rate(time) * SLOT / HOUR)
    ]


def false_alarms(times, factor):
    """Return in how many silences of a healthy topic the rule warns before the next message."""
    found = 0
    for at in range(1, len(times)):
        gap = times[at] - times[at - 1]
        # The rule needs a record of 20 landing batches. Most gaps are none of the last ten.
        before = times[max(0, at - 11) : at]
        if gap > HOUR and gap > factor * max(map(sub, before[1:], before), default=0):
            first = bisect_right(times, times[at - 1] - WINDOW - HISTORY)
            found += is_silent(times[max(0, first - 1) : at], times[at] - 1, factor)
    return found


@pytest.fixture(scope="module")
def topics():
    """The landing batches of 104 topics, 13 of each rhythm."""
    chance = random.Random(29)
    return [landings(KINDS[number % len(KINDS)], chance) for number in range(104)]


def test_healthy_topics_rarely_warn(topics):
    """At most one false warning a month per 100 topics.

    A lower factor gives more, so the measure works.
    """
    months = 12 * len(topics) / 100
    by_factor = {
        factor: sum(false_alarms(times, factor) for times in topics) / months for factor in (1.2, 2)
    }
    print(by_factor)
    assert by_factor[2] <= 1 < by_factor[1.2]


def test_topics_that_stop_warn(topics):
    """Nearly all topics are judged.

    Each of them warns within three weeks after it stops, and for eight weeks at most.
    """
    stopped = [times[: bisect_right(times, WARM_UP + 200 * DAY)] for times in topics]
    judged = [times for times in stopped if limit_of(times) is not None]
    assert len(judged) >= 0.9 * len(topics)
    for times in judged:
        days = [day for day in range(1, 100) if is_silent(times, times[-1] + day * DAY)]
        assert days and days[0] <= 21 and days[-1] <= 56


def test_the_sql_has_the_rule(project, topics):
    """The same topics at random times, some of them with a short hisilence."""
    silence = project("silence")
    chance = random.Random(30)
    begin = int(datetime(2025, 1, 1, tzinfo=timezone.utc).timestamp())
    now = WARM_UP + 120 * DAY
    rows, expected = [], set()
    for number, times in enumerate(topics):
        name = f"topic_{number:03}"
        last = now - chance.choice([0, 2 * DAY, 9 * DAY, 30 * DAY, 70 * DAY])
        first = now - chance.choice([50 * DAY, 170 * DAY, 170 * DAY])
        kept = [time for time in times if first <= time <= last]
        kept = kept[:: max(1, len(kept) // chance.choice([30, 300, 400]))]  # few rows are faster
        if is_silent(kept, now):
            expected.add(name)
        rows += [(name, batch, begin + time) for batch, time in enumerate(kept)]
    assert 20 < len(expected) < 80
    seconds = "kafka_topic string, landing_batch bigint, seconds bigint"
    made = silence.spark.createDataFrame(chance.sample(rows, len(rows)), seconds)
    made.selectExpr(
        "kafka_topic",
        "landing_batch",
        "timestamp_seconds(seconds) as landed_at",
        "if(landing_batch % 2 = 0, timestamp_seconds(seconds), null) as last_kafka_timestamp",
        "cast(null as timestamp) as last_occurred_at",
    ).createOrReplaceTempView("made_up_batches")
    time = f"timestamp_seconds({begin + now})"
    inline = f"{{{{ kafka_cdc.select_topic_expectations('made_up_batches', now='{time}') }}}}"
    compiled = silence.dbt("compile", "--inline", inline).result[0].node.compiled_code
    found = silence.spark.sql(compiled).collect()
    assert len(found) == len({name for name, _, _ in rows})
    assert {row.kafka_topic for row in found if row.findings} == expected
