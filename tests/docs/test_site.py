"""The built site works from its files, without a network, on a desktop and on a phone."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

HOME = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def site():
    """The folder of the site that `make docs` builds. It fails on any warning of MkDocs."""
    command = ["make", "--no-print-directory", "docs"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("KAFKA_CDC_", "DBT_"))}
    built = subprocess.run(
        command, cwd=HOME, env=environment, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return HOME / "site"


@pytest.mark.browser
def test_pages_work_in_a_browser(site, chromium):
    """No page has a console error or a missing asset, asks the network, or scrolls sideways."""
    command = [HOME / ".docs" / "bin" / "python", "-m", "tools.docs_site.browse", site]
    if "KAFKA_CDC_LONG" not in os.environ:
        command.append("--few")  # pages of a folder have the same form
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    problems = json.loads(done.stdout)
    assert problems == {}, json.dumps(problems, indent=1, ensure_ascii=False)


def test_every_page_is_in_the_nav(site):
    """Each page of docs/ was built. The nav of mkdocs.yml lists the page or its whole folder."""
    text = re.sub(r"!!python/\S+", "", (HOME / "mkdocs.yml").read_text(encoding="utf-8"))
    nav = json.dumps(yaml.safe_load(text)["nav"])
    for page in (HOME / "docs").rglob("*.md"):
        name = page.relative_to(HOME / "docs")
        assert f'"{name.as_posix()}"' in nav or f'"{name.parent.as_posix()}/*"' in nav, name
        assert (site / name.with_suffix(".html")).exists()


def test_nothing_comes_from_elsewhere(site):
    """Scripts, styles, fonts and images of the pages are files of the site."""
    outside = re.compile(
        r'<(?:script|img|iframe)[^>]*\bsrc="(?:https?:)?//|<link[^>]*rel="stylesheet"[^>]*href="(?:https?:)?//|url\((?:https?:)?//'
    )
    found = [
        page.relative_to(site)
        for page in site.rglob("*.html")
        if page.parent.name != "dbt" and outside.search(page.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_the_page_of_dbt_is_in_the_site(site):
    """dbt's own page has the overview, the types of columns and the exposures of the project."""
    text = (site / "dbt" / "index.html").read_text(encoding="utf-8")
    assert "turns raw CDC messages from Kafka" in text
    assert "exposure.kafka_cdc.typed_tables" in text
