"""What the tests ask of Airflow, run by its own Python: the DAG as it is parsed, or one run of it to its end. Answers with a line of JSON.

    runner.py parse                                       import errors, and of each DAG its tasks and what follows each
    runner.py run '{"conf": {...}, "only": "land"}'       state of the run and of its tasks, with the number of tries
"""

import json
import sys
from datetime import timedelta
from pathlib import Path

from airflow.dag_processing.dagbag import DagBag

DAGS = Path(__file__).resolve().parents[2] / "dags"


def parse(bag):
    """Return the import errors and the form of the DAGs."""
    tasks = {dag_id: {task.task_id: {"after": sorted(task.upstream_task_ids), "retries": [task.retries, task.retry_delay.total_seconds(), task.retry_exponential_backoff], "outlets": [each.name for each in task.outlets],
                                     "alerts": bool(task.on_failure_callback), "selection": getattr(task, "indirect_selection", None)} for task in dag.tasks} for dag_id, dag in bag.dags.items()}
    dags = {dag_id: {"tasks": tasks[dag_id], "max_active_runs": dag.max_active_runs, "max_active_tasks": dag.max_active_tasks, "catchup": dag.catchup,
                     "schedule": getattr(dag.timetable, "expression", None) or dag.timetable.summary} for dag_id, dag in bag.dags.items()}
    return {"errors": bag.import_errors, "dags": dags}


def run(bag, conf=None, only=None, retry_seconds=0):
    """Run the DAG, or only the tasks that the pattern `only` matches, the others marked as successful; retries wait no longer than said."""
    assert not bag.import_errors, bag.import_errors
    dag = bag.dags["kafka_cdc"]
    for task in dag.tasks:
        task.retry_delay, task.retry_exponential_backoff = timedelta(seconds=retry_seconds), 0
    ended = dag.test(run_conf=conf, mark_success_pattern=f"(?!(?:{only})$).*" if only else None)
    return {"state": ended.state, "tasks": {each.task_id: [each.state, each.try_number] for each in ended.get_task_instances()}}


if __name__ == "__main__":
    bag = DagBag(DAGS)
    answer = parse(bag) if sys.argv[1] == "parse" else run(bag, **json.loads(sys.argv[2]))
    print("\nanswer: " + json.dumps(answer), flush=True)
