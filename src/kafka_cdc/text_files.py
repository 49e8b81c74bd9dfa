"""Writes files that others read at the same time."""

import contextlib
import os
import tempfile
from pathlib import Path


def replace(path: Path, text: str) -> None:
    """Write a file in one step, so that a reader finds the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    number, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}")
    try:
        with open(number, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
