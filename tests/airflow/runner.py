"""Parses or runs the DAG for the tests, in the Python environment of Airflow.

Airflow and its API are imported once, which takes longer than most runs. Each line on standard input is a JSON object, and is answered by a line:

{"arguments": [...], "environment": {...}, "output": file}   forks a process that prints to a file. The answer is its id.
{"wait": id}                                                 waits for a process. The answer is its exit code.

The last line that a process prints is its result as JSON. These are the arguments:

parse                                       import errors, and the tasks of each DAG with their upstream tasks
run '[{"conf": {...}, "only": "land"}]'     for each run its state, the states and tries of its tasks, and the asset's events
"""

import json
import os
import sys
import traceback
from datetime import datetime, timedelta
from pathlib import Path

from airflow.dag_processing.dagbag import DagBag
from airflow.models.asset import AssetEvent
from airflow.providers.standard.operators import python  # noqa: F401  (what the DAG imports)
from airflow.sdk.execution_time.supervisor import in_process_api_server
from airflow.utils.session import create_session
from sqlalchemy import select
from sqlalchemy.orm import configure_mappers

DAGS = Path(__file__).resolve().parents[2] / "dags"


def parse(bag):
    """Return the import errors and the form of the DAGs."""
    tasks = {
        dag_id: {
            task.task_id: {
                "after": sorted(task.upstream_task_ids),
                "retries": [
                    task.retries,
                    task.retry_delay.total_seconds(),
                    task.retry_exponential_backoff,
                ],
                "outlets": [each.name for each in task.outlets],
                "alerts": bool(task.on_failure_callback),
                "selection": getattr(task, "indirect_selection", None),
            }
            for task in dag.tasks
        }
        for dag_id, dag in bag.dags.items()
    }
    dags = {
        dag_id: {
            "tasks": tasks[dag_id],
            "max_active_runs": dag.max_active_runs,
            "max_active_tasks": dag.max_active_tasks,
            "catchup": dag.catchup,
            "schedule": getattr(dag.timetable, "expression", None) or dag.timetable.summary,
        }
        for dag_id, dag in bag.dags.items()
    }
    return {"errors": bag.import_errors, "dags": dags}


def run(bag, conf=None, only=None, retry_seconds=0, today=None, logical_date="now"):
    """Run the DAG, or only the tasks that the pattern `only` matches, and mark the others as successful.

    Retries wait `retry_seconds`.

    Arguments:
        today: the day that the DAG uses as today.
        logical_date: the logical date of a scheduled run, or None for a run that is triggered by hand.
    """
    assert not bag.import_errors, bag.import_errors
    if today:
        sys.modules["kafka_cdc_commands"].today = lambda: today
    dag = bag.dags["kafka_cdc"]
    for task in dag.tasks:
        task.retry_delay, task.retry_exponential_backoff = timedelta(seconds=retry_seconds), 0
    when = (
        {}
        if logical_date == "now"
        else {"logical_date": logical_date and datetime.fromisoformat(logical_date)}
    )
    ended = dag.test(
        run_conf=conf, mark_success_pattern=f"(?!(?:{only})$).*" if only else None, **when
    )
    with create_session() as session:
        events = [
            event.extra for event in session.scalars(select(AssetEvent).order_by(AssetEvent.id))
        ]
    return {
        "state": ended.state,
        "tasks": {
            each.task_id: [each.state, each.try_number] for each in ended.get_task_instances()
        },
        "events": events,
    }


def answer(command, *arguments):
    """Parse or run the DAG, and print the result."""
    bag = DagBag(DAGS)
    if command == "parse":
        result = parse(bag)
    else:
        result = [run(bag, **how) for how in json.loads(arguments[0])]
    print("\nanswer: " + json.dumps(result), flush=True)


def work(arguments, environment, output):
    """Answer in a process that has just been forked, and end it."""
    file = os.open(output, os.O_WRONLY)
    os.dup2(file, 1)
    os.dup2(file, 2)
    os.close(file)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.environ.clear()
    os.environ.update(environment)
    code = 1
    try:
        answer(*arguments)
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def main():
    """Answer each line."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # Airflow may print
    # What dag.test() makes once per process takes half of a short run.
    configure_mappers()
    assert in_process_api_server().app
    for line in sys.stdin:
        request = json.loads(line)
        if "wait" in request:
            reply = os.waitstatus_to_exitcode(os.waitpid(request["wait"], 0)[1])
        else:
            sys.stdout.flush()
            reply = os.fork()
            if reply == 0:
                answers.close()
                work(**request)
        print(reply, file=answers, flush=True)


if __name__ == "__main__":
    main()
