"""Parses or runs the DAG for the tests, in the Python environment of Airflow. Prints the result as a line of JSON.

runner.py parse                                       import errors, and the tasks of each DAG with their upstream tasks
runner.py run '[{"conf": {...}, "only": "land"}]'     for each run its state, the states and tries of its tasks, and the asset's events
"""

import json
import sys
from datetime import datetime, timedelta
from pathlib import Path

from airflow.dag_processing.dagbag import DagBag
from airflow.models.asset import AssetEvent
from airflow.utils.session import create_session
from sqlalchemy import select

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


if __name__ == "__main__":
    bag = DagBag(DAGS)
    answer = (
        parse(bag)
        if sys.argv[1] == "parse"
        else [run(bag, **how) for how in json.loads(sys.argv[2])]
    )
    print("\nanswer: " + json.dumps(answer), flush=True)
