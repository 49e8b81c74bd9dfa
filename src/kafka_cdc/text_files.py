"""Writes files that others read at the same time."""

import os
import tempfile
from pathlib import Path


def replace(path: Path, text: str) -> None:
    """Write a file in one step, so that a reader finds the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(
        "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}", delete=False
    ) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)
