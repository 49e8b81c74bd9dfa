"""Made-up facts for the renderer of the report."""

import random

from kafka_cdc.report import facts

NOW = 1_795_000_000 - 1_795_000_000 % 3600
HOUR = 3600


def listing(rows, total=None):
    """Return a listing of rows."""
    return facts.Listing(rows, len(rows) if total is None else total)


def publication(**values):
    """Return a lake in which everything is published, except for these values."""
    return facts.Publication(
        **{
            "batches": 9,
            "published_until": NOW - 300,
            "waiting_batches": 0,
            "waiting_messages": 0,
            "waiting_since": None,
            "unread_batches": 0,
            "unread_messages": 0,
            "lost_messages": 0,
            **values,
        }
    )


def lake(*, topics=40, tables_of_topic=5, hours=72, name=str, seed=7, details=30):
    """Return the facts of a lake. `name` makes the texts that come from data, from a plain one."""
    chance = random.Random(seed)
    formats = ["debezium", "canal", "huawei_drs_json", "maxwell", "goldengate"]
    sources = ["shop", "crm", "billing", "warehouse", "web"]
    codes = ["missing_image", "invalid_json", "unknown_operation", "missing_key"]
    all_topics, all_tables, arrivals, rejections, rejected = [], [], [], [], []
    for number in range(topics):
        topic = name(f"{sources[number % 5]}.public.topic_{number:04}")
        source = name(sources[number % 5])
        landed = NOW - chance.randrange(60, 900)
        rejects = chance.randrange(1, 40) if number % 11 == 0 else 0
        size = int(10 ** chance.uniform(2, 5))
        for hour in range(hours):
            changes = int(size / 50 * chance.uniform(0.4, 1.6)) + 1
            arrivals.append(
                facts.Arrival(
                    topic=topic,
                    hour=NOW - (hours - hour) * HOUR,
                    change_messages=changes,
                    ddl=int(chance.random() < 0.02),
                    control=changes // 12,
                    rejected=int(rejects > 0 and hour % 7 == 0),
                    changes=changes,
                )
            )
        if rejects:
            code = name(codes[number // 11 % 4])
            rejections += [
                facts.Rejection(topic, code, NOW - (hours - hour) * HOUR, 1 + hour % 3)
                for hour in range(0, hours, 7)
            ]
            rejected += [
                facts.RejectedMessage(
                    topic=topic,
                    code=code,
                    partition=0,
                    offset=size + one,
                    landed_at=landed,
                    detail=name("The operation needs a row image that the message does not have."),
                    payload=name('{"op": "u", "after": null}'),
                )
                for one in range(3)
            ]
        all_topics.append(
            facts.Topic(
                topic=topic,
                formats=[name(formats[number % 5])],
                sources=[source],
                messages=size,
                changes=size,
                rejected=rejects,
                occurred_at=landed - 9,
                kafka_at=landed - 7,
                landed_at=landed,
                published_until=landed if number % 9 else None,
                waiting_messages=0 if number % 9 else size,
            )
        )
        for one in range(tables_of_topic):
            all_tables.append(
                facts.Table(
                    source=source,
                    table=name(f"inventory.public.table_{number:04}_{one}"),
                    formats=[name(formats[number % 5])],
                    topics=[topic],
                    key=[name("id")],
                    order="sequence" if one else "offset",
                    rows=size // 3,
                    incomplete_rows=int(one == 4),
                    changes=size,
                    changes_per_day=size / 7,
                    changed_at=landed - 9,
                    typed_model=name(f"inventory_table_{number:04}_{one}") if one == 0 else None,
                )
            )
    some = all_tables[:: max(1, len(all_tables) // details)][:details]
    return facts.Facts(
        generated_at=NOW,
        schema="cdc",
        publication=publication(waiting_batches=1, waiting_messages=1234, waiting_since=NOW - 900),
        held_tables=listing(
            [
                facts.HeldTable(
                    source=table.source,
                    table=table.table,
                    held_since=NOW - 5 * HOUR,
                    withheld_changes=42,
                    check=name("falling_sequence"),
                    finding=name(
                        f"topic {table.topics[0]}, partition 0, offset 12: the sequence of table"
                        f" {table.table} of source {table.source} falls from [71] to [5]"
                    ),
                    remedy=name(
                        f"If it starts again, add to sequence_resets: - {{topic: {table.topics[0]},"
                        " partition: 0, offset: 12}"
                    ),
                )
                for table in some[:2]
            ]
        ),
        topics=listing(all_topics),
        arrivals=listing(arrivals),
        rejections=listing(rejections),
        rejected_messages=listing(rejected),
        statements=listing(
            [
                facts.Statement(
                    happened_at=NOW - number * 7 * HOUR,
                    topic=table.topics[0],
                    partition=0,
                    offset=100 + number,
                    source=table.source,
                    table=table.table,
                    operation=name("alter"),
                    text=name("alter table t add column note varchar(20) default 'x'"),
                )
                for number, table in enumerate(some)
            ],
            total=len(some) + 3,
        ),
        column_changes=listing(
            [
                facts.ColumnChange(
                    happened_at=NOW - number * 7 * HOUR,
                    topic=table.topics[0],
                    source=table.source,
                    table=table.table,
                    column=name("note"),
                    drift="retyped" if number % 2 else "new",
                    old_type=name("varchar(10)") if number % 2 else None,
                    new_type=name("varchar(20)"),
                )
                for number, table in enumerate(some)
            ]
        ),
        applied_changes=listing(
            [
                facts.AppliedChange(
                    applied_at=NOW - number * 7 * HOUR,
                    typed_table=name(f"cdc.inventory_table_{number:04}"),
                    source=table.source,
                    table=table.table,
                    column=name("note"),
                    change="retyped" if number % 2 else "added",
                    old_type=name("decimal(10,2)") if number % 2 else None,
                    new_type=name("decimal(12,2)"),
                    policy=name("evolve"),
                )
                for number, table in enumerate(some)
            ]
        ),
        unread_ranges=listing(
            [facts.UnreadRange(all_topics[0].topic, 0, 100, 149, 50, "lost", NOW - 3 * HOUR)]
        ),
        offset_gaps=listing([facts.OffsetGap(all_topics[0].topic, 2, 9)]),
        sequence_resets=listing(
            [
                facts.SequenceReset(
                    topic=table.topics[0],
                    partition=0,
                    offset=12,
                    source=table.source,
                    table=table.table,
                    remedy=name("sequence_resets: - {topic: a, partition: 0, offset: 12}"),
                )
                for table in some[:2]
            ]
        ),
        broken_chains=listing(
            [
                facts.BrokenChain(
                    source=table.source,
                    table=table.table,
                    break_kind=name("before_image_differs"),
                    cause=name("lost_change"),
                    is_alarm=True,
                    changes=3,
                    columns=[name("email"), name("balance")],
                    topic=table.topics[0],
                    partition=0,
                    offset=77,
                )
                for table in some[2:4]
            ]
        ),
        unrepaired_statements=listing(
            [
                facts.UnrepairedStatement(
                    happened_at=NOW - 50 * HOUR,
                    topic=table.topics[0],
                    partition=0,
                    offset=78,
                    source=table.source,
                    table=table.table,
                    effects=[name("adds column note with a value")],
                )
                for table in some[4:6]
            ]
        ),
        stale_rows=listing([facts.StaleRows(some[1].source, some[1].table, 4)]),
        tables=listing(all_tables),
        batches=listing(
            [
                facts.Batch(
                    batch=str(4611686018427387904 + number),
                    landed_at=NOW - number * HOUR,
                    topics=topics,
                    messages=100_000 // (number + 1),
                    changes=99_000 // (number + 1),
                    is_published=number > 0,
                    bytes=None if number == 3 else 30_000_000 // (number + 1) ** 3,
                )
                for number in range(min(details, 100))
            ]
        ),
        last_run=facts.LastRun(
            began_at=NOW - 600,
            command="build",
            seconds=91.4,
            nodes=[
                facts.Node(name(each), kind, status, seconds)
                for each, kind, status, seconds in [
                    ("events", "model", "success", 31.2),
                    ("event_batch_stats", "model", "success", 12.0),
                    ("tables_are_not_held_held_tables_", "test", "warn", 1.8),
                    ("current_rows", "model", "success", 0.9),
                ]
            ],
        ),
        has_payloads=True,
    )


def empty():
    """Return the facts of a lake in which nothing has landed and no model but one is built."""
    nothing = facts.Listing(is_built=False)
    never = publication(batches=0, published_until=None)
    return facts.Facts(NOW, "cdc", never, held_tables=nothing, tables=nothing)
