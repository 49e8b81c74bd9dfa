"""What the tests of the documentation share: the built site, and a browser to look at it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parents[2]
SITE = HOME / "site"
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def site() -> Path:
    """Build the site as `make docs` does, and return its folder."""
    built = subprocess.run(
        ["make", "--no-print-directory", "docs"], cwd=HOME, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return SITE


def find_chromium() -> tuple[str, str] | None:
    """Return the paths of Chromium and of its driver."""
    browser = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


def install_chromium() -> str:
    """Install Debian's packages of Chromium. Returns why that is not possible, or an empty text."""
    if os.geteuid() != 0:
        return "Chromium is not installed and this user cannot install it"
    if not shutil.which("apt-get"):
        return "Chromium is not installed and this machine has no apt-get"
    print("\n==> installing chromium and chromium-driver with apt-get for the browser test")
    packages = ["chromium", "chromium-driver", "fonts-dejavu-core"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-q"],
        ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages],
    ):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    last = (done.stderr.strip().splitlines() or [""])[-1]
    return "" if done.returncode == 0 else f"apt-get could not install Chromium: {last}"


@pytest.fixture(scope="session")
def chromium(capfd_session=None) -> tuple[str, str]:
    """Return the paths of Chromium and of its driver, or skip with the reason."""
    found = find_chromium()
    if found is None:
        reason = install_chromium()
        found = find_chromium()
        if found is None:
            pytest.skip(reason or "apt-get installed Chromium, but no chromium and chromedriver")
    return found
