"""Which topics are meant, and which of them are binary."""

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path

import yaml

from . import environment
from .errors import LandingError


def pattern(globs: Iterable[str]) -> re.Pattern[str]:
    """Return a regular expression for the names that one of the globs (* any text, ? one character) matches."""
    parts = (re.escape(glob).replace(r"\*", ".*").replace(r"\?", ".") for glob in globs)
    return re.compile("|".join(parts) or r"(?!)", re.DOTALL)


def split(globs: str) -> list[str]:
    """Return the globs of a list such as orders,drs_*."""
    return [glob.strip() for glob in globs.split(",") if glob.strip()]


def binary(globs: str | None) -> Callable[[str], bool]:
    """Return which topics land base64-encoded: those of `globs`, and those whose line of the setting topics says encoding: base64.

    The names are those of raw, with the prefix. Read from dbt_project.yml in DBT_PROJECT_DIR or the project.
    """
    path = Path(os.environ.get("DBT_PROJECT_DIR") or environment.HOME) / "dbt_project.yml"
    named, lines = pattern(split(globs or "")), []
    try:
        project = yaml.safe_load(path.read_text(encoding="utf-8"))
        for line in ((project.get("vars") or {}).get("kafka_cdc") or {}).get("topics") or []:
            topics = [line["topic"]] if isinstance(line["topic"], str) else line["topic"]
            lines.append((pattern(topics), line.get("encoding") == "base64"))
    except OSError:
        pass
    except (AttributeError, KeyError, TypeError, yaml.YAMLError) as error:
        raise LandingError(f"{path}: the setting topics cannot be read: {' '.join(str(error).split())}") from None

    def is_binary(topic: str) -> bool:
        return bool(named.fullmatch(topic)) or next((says for matches, says in lines if matches.fullmatch(topic)), False)

    return is_binary
