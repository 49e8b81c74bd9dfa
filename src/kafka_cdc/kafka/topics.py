"""Which topics land, and which of them are binary."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import yaml

from kafka_cdc import environment
from kafka_cdc.errors import LandingError


def compile_globs(globs: Iterable[str]) -> re.Pattern[str]:
    """Return a regular expression for globs: * is any text, ? is one character."""
    parts = (re.escape(glob).replace(r"\*", ".*").replace(r"\?", ".") for glob in globs)
    return re.compile("|".join(parts) or r"(?!)", re.DOTALL)


def split_globs(globs: str) -> list[str]:
    """Return the globs of a list such as orders,drs_*."""
    return [glob.strip() for glob in globs.split(",") if glob.strip()]


def find_unmatched(globs: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return the globs that match none of the names."""
    names = list(names)
    return [glob for glob in globs if not any(map(compile_globs([glob]).fullmatch, names))]


def get_binary_condition(globs: str | None) -> Callable[[str], bool]:
    """Return a function that returns whether a topic lands base64-encoded.

    These are the topics of `globs`, and those whose entry in the setting topics has encoding:
    base64. Names are those in raw, with the topic prefix. The setting is read from dbt_project.yml
    in DBT_PROJECT_DIR or the project.

    Raises:
        LandingError: The setting cannot be read.
    """
    folder = environment.PROJECT.get() or environment.project_home()
    path = Path(folder) / "dbt_project.yml"
    named = compile_globs(split_globs(globs or ""))
    entries: list[tuple[re.Pattern[str], bool]] = []
    try:
        project = yaml.safe_load(path.read_text(encoding="utf-8"))
        settings = (project.get("vars") or {}).get("kafka_cdc") or {}
        for entry in settings.get("topics") or []:
            topics = [entry["topic"]] if isinstance(entry["topic"], str) else entry["topic"]
            entries.append((compile_globs(topics), entry.get("encoding") == "base64"))
    except OSError as error:
        # A checkout without the file has no settings. Without those of a project that exists, a
        # binary topic would land as text, and keep it.
        if environment.PROJECT.get() or not isinstance(error, FileNotFoundError):
            raise LandingError(
                f"{path}: {error.strerror}. Hint: set {environment.PROJECT.name} to the folder of"
                " the dbt project, whose setting topics has the encodings"
            ) from None
    except (AttributeError, KeyError, TypeError, UnicodeDecodeError, yaml.YAMLError) as error:
        detail = " ".join(str(error).split())
        raise LandingError(
            f"{path}: the setting topics cannot be read: {detail}. Hint: correct the file"
        ) from None

    def is_binary(topic: str) -> bool:
        is_base64 = (value for pattern, value in entries if pattern.fullmatch(topic))
        return bool(named.fullmatch(topic)) or next(is_base64, False)

    return is_binary
