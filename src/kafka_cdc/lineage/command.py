"""Runs `kafka-cdc lineage`, and sends the events of landings."""

import argparse
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from kafka_cdc import environment, exit_codes
from kafka_cdc.errors import LandingError
from kafka_cdc.lineage import client, events
from kafka_cdc.lineage.events import Dataset, Event, Landing
from kafka_cdc.report.command import get_target_folder
from kafka_cdc.report.queries import read_json


def run(*, if_enabled: bool = False) -> int:
    """Send the events of the last dbt run. Returns the exit code.

    Args:
        if_enabled: Whether to do nothing if no receiver is set.

    Raises:
        LandingError: There is no run or no receiver, or it did not accept the events.
    """
    environment.prepare()
    if not client.is_enabled():
        if if_enabled:
            return exit_codes.SUCCESS
        raise LandingError(f"no receiver is set. Hint: set {client.URL}, for example to http://…")
    number = client.send(read_dbt_events(get_target_folder()))
    print(f"{number} events sent")
    return exit_codes.SUCCESS


def read_dbt_events(target: Path) -> list[Event]:
    """Return the events of the last run in dbt's target folder.

    Raises:
        LandingError: The folder has no run.
    """
    manifest, results = read_json(target / "manifest.json"), read_json(target / "run_results.json")
    if not (manifest and results):
        raise LandingError(f"{target} has no run of dbt. Hint: run dbt build in the same folder")
    return events.get_dbt_events(manifest, results)


def landing(
    job: str,
    arguments: argparse.Namespace,
    get_inputs: Callable[[], Iterable[Dataset]],
    on_failure: Callable[[str], None],
    *,
    is_cycle: bool = False,
) -> AbstractContextManager[None]:
    """Return a context that sends events at the begin and at the end of a landing.

    Call it before the Spark session starts, which removes the address of a server.

    Args:
        job: The name of the job.
        arguments: The options of the landing.
        get_inputs: Returns at the end what was read.
        on_failure: Called with the reason why events were not sent.
        is_cycle: Whether a landing without messages sends nothing. Then all events are sent at the
            end.
    """
    run = Landing(job, events.get_raw_dataset(arguments.schema, arguments.table))
    return send_events(run, get_inputs, on_failure, is_cycle=is_cycle)


@contextmanager
def send_events(
    run: Landing,
    get_inputs: Callable[[], Iterable[Dataset]],
    on_failure: Callable[[str], None],
    *,
    is_cycle: bool,
) -> Iterator[None]:
    """Send the events of a run. The arguments are those of landing()."""
    waiting = [run.get_event(events.START)]

    def send(event: Event | None = None) -> None:
        sent = [*waiting, event] if event else list(waiting)
        waiting.clear()
        client.send_or_log(lambda: sent, on_failure)

    if not is_cycle:
        send()
    try:
        yield
    except KeyboardInterrupt:
        send(run.get_event(events.ABORT, get_inputs()))
        raise
    except BaseException:
        send(run.get_event(events.FAIL, get_inputs()))
        raise
    inputs = list(get_inputs())
    if inputs or not is_cycle:
        send(run.get_event(events.COMPLETE, inputs))
