"""Chromium for the tests of pages: whether it is installed, and its installation."""

import os
import shutil
import subprocess

PACKAGES = ["chromium", "chromium-driver", "fonts-dejavu-core"]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def is_installed():
    """Return whether Chromium and its driver are installed."""
    return any(map(shutil.which, BROWSERS)) and shutil.which("chromedriver") is not None


def install():
    """Install Debian's packages of Chromium. Returns why it failed, else an empty text."""
    if os.geteuid() != 0:
        return f"install {' and '.join(PACKAGES[:2])}: this user cannot"
    if not shutil.which("apt-get"):
        return f"install {' and '.join(PACKAGES[:2])}: this machine has no apt-get"
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *PACKAGES]
    for command in (["apt-get", "update", "-q"], install):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"apt-get: {done.stderr.strip()[-200:]}"
