"""The DAG kafka_cdc: lands messages, builds, tests, publishes and maintains tables.

docs/guides/airflow.md describes its settings. The form of the DAG comes from the environment when
Airflow parses it.
Everything else is read from Airflow when a task runs.
"""

import os
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

from airflow.providers.standard.operators.python import PythonOperator, ShortCircuitOperator
from airflow.sdk import DAG, Param, TaskGroup

# Airflow adds only the root of the bundle. This file may be in a folder of it, or a link.
sys.path.append(str(Path(__file__).resolve().parent))
from kafka_cdc_alerts import alert  # noqa: E402
from kafka_cdc_commands import (  # noqa: E402
    Build,
    EmitAssetEvent,
    Land,
    Maintain,
    Report,
    check_landed,
    is_maintenance_due,
    prepare_task,
)
from kafka_cdc_settings import PROFILES, PROGRAMS, PROJECT  # noqa: E402

TARGET = os.environ.get("KAFKA_CDC_TARGET") or (
    "local_delta" if os.environ.get("KAFKA_CDC_FILE_FORMAT") == "delta" else "local"
)
SCHEDULE = os.environ.get("KAFKA_CDC_DAG_SCHEDULE") or "*/15 * * * *"
BUILD = os.environ.get("KAFKA_CDC_DAG_BUILD") or "command"
TASKS = int(
    os.environ.get("KAFKA_CDC_DAG_TASKS") or (1 if TARGET in ("local", "local_delta") else 8)
)  # at the same time; each has a Spark session


def build_by_models() -> TaskGroup:
    """Return the task group `build` of Cosmos: tasks for each model and its tests."""
    from cosmos import DbtTaskGroup, ExecutionConfig, ProfileConfig, ProjectConfig, RenderConfig
    from cosmos.constants import (
        ExecutionMode,
        InvocationMode,
        LoadMode,
        TestBehavior,
        TestIndirectSelection,
    )

    manifest = PROJECT / "target" / "manifest.json"
    if not manifest.exists():
        raise FileNotFoundError(
            f"{manifest} is missing. Hint: run dbt parse where the project is deployed"
        )
    return DbtTaskGroup(
        group_id="build",
        project_config=ProjectConfig(
            PROJECT, manifest_path=manifest, install_dbt_deps=False, partial_parse=False
        ),
        profile_config=ProfileConfig(
            "kafka_cdc", TARGET, profiles_yml_filepath=PROFILES / "profiles.yml"
        ),
        # A model is read by others only after its own tests. changelog publishes: it runs after the
        # tests of everything that it publishes.
        render_config=RenderConfig(
            load_method=LoadMode.DBT_MANIFEST,
            test_behavior=TestBehavior.AFTER_EACH,
            emit_datasets=False,
        ),
        # buildable: a test that also reads an ancestor of its model runs with its model. With the
        # ancestor, it would run before the model exists.
        execution_config=ExecutionConfig(
            ExecutionMode.LOCAL,
            InvocationMode.SUBPROCESS,
            TestIndirectSelection.BUILDABLE,
            dbt_executable_path=PROGRAMS / "dbt",
        ),
        operator_args={
            "append_env": False,
            "interceptors": [prepare_task],
            "should_store_compiled_sql": False,
        },
    )


with DAG(
    "kafka_cdc",
    description="Change data from Kafka: landed, built, tested, published",
    doc_md=__doc__,
    schedule=None if SCHEDULE == "none" else SCHEDULE,
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=False,  # a run reads everything that is new
    max_active_runs=1,
    max_active_tasks=TASKS,
    default_args={
        "owner": "kafka_cdc",
        "retries": 3,
        "retry_delay": timedelta(minutes=1),
        "retry_exponential_backoff": 2,
        "max_retry_delay": timedelta(minutes=15),
        "execution_timeout": timedelta(
            hours=float(os.environ.get("KAFKA_CDC_DAG_TIMEOUT_HOURS") or 6)
        ),
        "on_failure_callback": alert,
    },
    params={
        "variables": Param(
            {},
            type="object",
            description='dbt\'s --vars of this run, such as {"replay": "quarantine"}',
        )
    },
    tags=["kafka_cdc"],
) as dag:
    if BUILD not in ("command", "models"):
        raise ValueError(f"KAFKA_CDC_DAG_BUILD is {BUILD!r}. Hint: set it to command or models")
    land = Land(task_id="land")
    build = Build(task_id="build") if BUILD == "command" else build_by_models()
    all_landed = PythonOperator(
        task_id="all_landed", python_callable=check_landed
    )  # it only fails the run
    published = EmitAssetEvent(task_id="published")
    maintenance_is_due = ShortCircuitOperator(
        task_id="maintenance_is_due", python_callable=is_maintenance_due, trigger_rule="none_failed"
    )
    maintain = Maintain(task_id="maintain")
    land >> [all_landed, build]
    if BUILD == "models":
        build >> Report(task_id="report", trigger_rule="all_done")
    build >> published >> maintenance_is_due >> maintain
