"""Sends events by OpenLineage's client, which reads its own environment variables."""

import importlib
import os
import time
from collections.abc import Callable, Iterable
from typing import Any

from kafka_cdc.errors import LandingError
from kafka_cdc.lineage.events import Dataset, Event

PRODUCER = "urn:kafka_cdc"
URL, CONFIG, DISABLED = "OPENLINEAGE_URL", "OPENLINEAGE_CONFIG", "OPENLINEAGE_DISABLED"
NAMESPACE = "OPENLINEAGE_NAMESPACE"
DEFAULT_NAMESPACE = "kafka_cdc"
RETRY_SECONDS = 60.0
"""How long nothing is sent after a failure, so that a missing receiver delays no landing."""
retry_at = 0.0


def load(module: str) -> Any:
    """Return a module of the optional package."""
    return importlib.import_module(f"openlineage.{module}")


def is_enabled() -> bool:
    """Return whether the environment names a receiver of events. An empty variable names none."""
    is_disabled = os.environ.get(DISABLED, "").lower() in ("true", "1")
    names = [name for name, value in os.environ.items() if value]
    has_transport = any(
        name in (URL, CONFIG) or name.startswith("OPENLINEAGE__TRANSPORT") for name in names
    )
    return has_transport and not is_disabled


def send(events: Iterable[Event]) -> int:
    """Send events. Returns their number.

    Raises:
        LandingError: The client is not installed, or the receiver did not accept an event. The
            text contains no part of the address.
    """
    try:
        client_module = load("client")
    except ImportError:
        raise LandingError(
            "the Python package openlineage-python is missing."
            " Hint: pip install 'kafka_cdc[lineage]', or unset OPENLINEAGE_URL"
        ) from None
    variables = dict(os.environ)
    try:
        client: Any = client_module.OpenLineageClient()
        number = 0
        for event in events:
            client.emit(to_run_event(event))
            number += 1
        close = getattr(client, "close", None)
        if close:
            close()
        return number
    except Exception as error:
        raise LandingError(
            f"the OpenLineage receiver did not accept an event ({get_reason(error)})."
            f" Hint: check {URL} and the receiver"
        ) from None
    finally:
        # The client writes its address and secret into variables of its own.
        for name in os.environ.keys() - variables.keys():
            del os.environ[name]


def get_reason(error: Exception) -> str:
    """Return the status code of an answer, else the class of the error."""
    code = getattr(getattr(error, "response", None), "status_code", None)
    return f"answer {code}" if code else type(error).__name__


def send_or_log(
    get_events: Callable[[], Iterable[Event]], on_failure: Callable[[str], None]
) -> None:
    """Send events if the environment names a receiver.

    A failure is only logged. Events of the minute after it are left out.
    """
    global retry_at
    if not is_enabled() or time.monotonic() < retry_at:
        return
    try:
        send(get_events())
    except Exception as error:
        retry_at = time.monotonic() + RETRY_SECONDS
        text = str(error) if isinstance(error, LandingError) else type(error).__name__
        on_failure(text)


def to_run_event(event: Event) -> Any:
    """Return an event as an object of the client."""
    event_v2, facets = load("client.event_v2"), load("client.facet_v2")
    job_type_job, parent_run = facets.job_type_job, facets.parent_run
    namespace = os.environ.get(NAMESPACE) or DEFAULT_NAMESPACE
    run_facets: dict[str, Any] = {}
    if event.parent:
        run_facets["parent"] = parent_run.ParentRunFacet(
            run=parent_run.Run(runId=event.parent[0]),
            job=parent_run.Job(namespace=namespace, name=event.parent[1]),
            producer=PRODUCER,
        )
    job_facets: dict[str, Any] = {
        "jobType": job_type_job.JobTypeJobFacet(
            processingType="BATCH",
            integration="KAFKA_CDC" if event.kind == "LANDING" else "DBT",
            jobType=event.kind,
            producer=PRODUCER,
        )
    }
    return event_v2.RunEvent(
        eventType=event_v2.RunState(event.state),
        eventTime=event.at,
        run=event_v2.Run(runId=event.run, facets=run_facets),
        job=event_v2.Job(namespace=namespace, name=event.job, facets=job_facets),
        inputs=[event_v2.InputDataset(**to_dataset(one)) for one in event.inputs],
        outputs=[event_v2.OutputDataset(**to_dataset(one)) for one in event.outputs],
        producer=PRODUCER,
    )


def to_dataset(dataset: Dataset) -> dict[str, Any]:
    """Return the arguments of a dataset of the client."""
    facet_types = load("client.facet_v2")
    schema_dataset, column_lineage = facet_types.schema_dataset, facet_types.column_lineage_dataset
    facets: dict[str, Any] = {}
    if dataset.columns:
        fields = [
            schema_dataset.SchemaDatasetFacetFields(name=name, type=type_ or None)
            for name, type_ in dataset.columns
        ]
        facets["schema"] = schema_dataset.SchemaDatasetFacet(fields=fields, producer=PRODUCER)
    if dataset.column_sources:
        facets["columnLineage"] = column_lineage.ColumnLineageDatasetFacet(
            fields={
                one.column: column_lineage.Fields(
                    inputFields=[
                        column_lineage.InputField(
                            namespace=dataset.namespace,
                            name=one.dataset,
                            field=one.field,
                            transformations=[
                                column_lineage.Transformation(
                                    type="DIRECT",
                                    subtype="TRANSFORMATION",
                                    description=f"column {one.source_column} of the source",
                                )
                            ],
                        )
                    ]
                )
                for one in dataset.column_sources
            },
            producer=PRODUCER,
        )
    return {"namespace": dataset.namespace, "name": dataset.name, "facets": facets}
