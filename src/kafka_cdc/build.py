"""`dbt build` in this process, so that it uses the Spark session that landing has started."""

import gc
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from kafka_cdc import environment
from kafka_cdc.errors import condense

PROJECT_FILE = "dbt_project.yml"
FILES = (PROJECT_FILE, "packages.yml", "package-lock.yml", "dependencies.yml")
FOLDERS = {  # what dbt reads, by the setting in dbt_project.yml, and its default
    "model-paths": ["models"],
    "macro-paths": ["macros"],
    "seed-paths": ["seeds"],
    "snapshot-paths": ["snapshots"],
    "test-paths": ["tests"],
}
FAILED = ("error", "fail", "runtime error", "partial success")
# dbt's selectors of models that nothing published depends on. The staging views use the macros of
# events.
MONITORING = ("kafka_cdc.monitoring", "kafka_cdc.staging")
EXPECTATIONS = ("topic_expectations",)  # its tests depend on the time
PUBLISHED = "published: "  # how the message of the macro publish_tested_versions starts


@dataclass(frozen=True)
class BuildResult:
    """The outcome of a build.

    Attributes:
        is_successful: Whether everything was built and passed its tests.
        is_settings_error: Whether dbt stopped before the first model, because the project, the
            profile or a setting is invalid. A repetition then fails too.
        models: How many models and seeds were built, or skipped because nothing was new.
        tests: How many tests passed or warned.
        warnings: How many tests warned.
        failures: Why it failed, one line for each failed node.
        messages: What macros reported: findings of tests, published table versions.
    """

    is_successful: bool
    is_settings_error: bool = False
    models: int = 0
    tests: int = 0
    warnings: int = 0
    failures: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    @property
    def is_published(self) -> bool:
        """Whether new table versions were published."""
        return any(message.startswith(PUBLISHED) for message in self.messages)

    @property
    def published_versions(self) -> dict[str, str]:
        """The published version of each table, by the name of its model. Empty if nothing was."""
        lines = [line for line in self.messages if line.startswith(PUBLISHED)]
        pairs = [pair for line in lines for pair in line.removeprefix(PUBLISHED).split(", ")]
        return dict(pair.split("=", 1) for pair in pairs if pair)

    @property
    def findings(self) -> list[str]:
        """The messages except the one that names the published versions."""
        return [message for message in self.messages if not message.startswith(PUBLISHED)]


def project_folder() -> Path:
    """Return the folder of the dbt project."""
    return Path(environment.PROJECT.get() or environment.project_home())


def parse(variables: str, raw: Mapping[str, str]) -> Any:
    """Return what dbt parses of the project, for several builds. None if it cannot be parsed.

    Each build would load it again, which takes a second of processor time.

    Args:
        variables: dbt's --vars, as YAML.
        raw: Settings of the raw table, which override those in `variables`.
    """
    from dbt.cli.main import dbtRunner

    gc.unfreeze()
    outcome = dbtRunner().invoke(get_command("parse", variables, raw))
    gc.freeze()  # a million objects, which Python would look through again and again
    return outcome.result if outcome.success else None


def get_command(name: str, variables: str, raw: Mapping[str, str]) -> list[str]:
    """Return a command of dbt for the project with these settings. dbt prints errors only."""
    settings = add_settings(variables, raw)
    return ["--quiet", name, "--project-dir", str(project_folder()), "--vars", settings]


def run(
    variables: str,
    raw: Mapping[str, str],
    *,
    manifest: Any = None,
    selected: Sequence[str] = (),
    excluded: Sequence[str] = (),
) -> BuildResult:
    """Run `dbt build` with its tests. dbt prints errors only.

    Args:
        variables: dbt's --vars, as YAML.
        raw: Settings of the raw table, which override those in `variables`.
        manifest: What `parse` has returned for these settings. Without it, dbt parses the project.
        selected: dbt's selectors of the only models that are built, with their tests. Such a run
            leaves the files of the last whole run in dbt's target folder.
        excluded: dbt's selectors of models that are not built, with their tests.
    """
    from dbt.cli.main import dbtRunner

    messages: list[str] = []

    def collect(event: Any) -> None:
        if event.info.name == "JinjaLogInfo":
            messages.append(event.data.msg.strip())

    command = get_command("build", variables, raw)
    if selected:
        command += ["--no-write-json", "--select", *selected]
    if excluded:
        command += ["--exclude", *excluded]
    outcome = dbtRunner(manifest, callbacks=[collect]).invoke(command)
    if outcome.exception:
        return BuildResult(
            is_successful=False,
            is_settings_error=is_settings_error(outcome.exception),
            failures=[condense(str(outcome.exception))],
            messages=messages,
        )
    results: list[Any] = list(getattr(outcome.result, "results", None) or [])
    tests = [one for one in results if one.node.resource_type == "test"]
    return BuildResult(
        is_successful=outcome.success,
        models=sum(
            one.node.resource_type in ("model", "seed") and one.status == "success"
            for one in results
        ),
        tests=sum(one.status in ("pass", "warn") for one in tests),
        warnings=sum(one.status == "warn" for one in tests),
        failures=[
            f"{one.node.name}: {condense(one.message or one.status)}"
            for one in results
            if one.status in FAILED
        ],
        messages=messages,
    )


def add_settings(variables: str, more: Mapping[str, str]) -> str:
    """Return dbt's --vars with more settings. dbt reports YAML that is no mapping."""
    if not more:
        return variables
    try:
        parsed = yaml.safe_load(variables)
    except yaml.YAMLError:
        return variables
    if not isinstance(parsed, dict):
        return variables
    return yaml.safe_dump({**parsed, **more}, sort_keys=False)


def raise_interrupt(error: BaseException | None) -> None:
    """Raise the Ctrl-C that dbt returns as the error of a command."""
    if isinstance(error, KeyboardInterrupt):
        raise error


def is_settings_error(error: BaseException) -> bool:
    """Return whether dbt stopped because of the project, the profile or a setting."""
    from dbt.cli.exceptions import DbtUsageException
    from dbt.exceptions import ParsingError
    from dbt_common.exceptions import CompilationError, DbtConfigError, DbtValidationError

    kinds = (DbtUsageException, ParsingError, CompilationError, DbtConfigError, DbtValidationError)
    return isinstance(error, kinds)


def read_project() -> dict[str, Any]:
    """Return the content of dbt_project.yml. It is empty if dbt will report that it is invalid."""
    try:
        text = (project_folder() / PROJECT_FILE).read_text(encoding="utf-8")
        project = yaml.safe_load(text)
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return {}
    return project if isinstance(project, dict) else {}


def get_paths(project: Mapping[str, Any], setting: str) -> list[str]:
    """Return the folders of a setting of FOLDERS. An invalid setting has none."""
    names = project.get(setting, FOLDERS[setting])
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def fingerprint() -> dict[str, int]:
    """Return the files of the dbt project and the profile, with the time of their last change."""
    folder, project = project_folder(), read_project()
    paths = [folder / name for name in FILES]
    paths.append(environment.profiles_folder() / "profiles.yml")
    for setting in FOLDERS:
        for name in get_paths(project, setting):
            paths += [
                Path(place, file)
                for place, _, files in os.walk(folder / name, followlinks=True)
                for file in files
            ]
    return {str(path): path.stat().st_mtime_ns for path in paths if path.is_file()}
