"""Opens pages of the built site in a headless Chromium and reports what is wrong with them.

Run: `.docs/bin/python -m tools.docs_site.browse SITE`. Prints a JSON object: page to problems.
With `--few`, it opens two pages of each folder, and all pages with a diagram.
With `--shots FOLDER`, writes screenshots of the given pages instead. Chromium and its driver are
packages of Debian (chromium, chromium-driver).
"""

import argparse
import contextlib
import itertools
import json
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

DESKTOP = (1400, 900)
PHONE = (390, 844)
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--allow-file-access-from-files",
    # There is no network: a page that asks for anything outside of the site gets an error.
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
LOOK = """
return {
    wide: document.scrollingElement.scrollWidth - window.innerWidth,
    broken: [...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src),
    asked: performance.getEntriesByType('resource').map(r => r.name),
    undrawn: document.querySelectorAll('pre.mermaid').length,
};
"""
PATIENCE = 10.0
"""Seconds until a diagram must be drawn and a search must have found something."""


def find_browser() -> tuple[str, str] | None:
    """Return the paths of Chromium and of its driver, if both are installed."""
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@contextlib.contextmanager
def open_browser() -> Iterator[webdriver.Chrome]:
    """Yield a browser with an empty profile."""
    found = find_browser()
    if found is None:
        raise SystemExit("chromium and chromedriver are not installed")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = webdriver.ChromeOptions()
        options.binary_location = found[0]
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        browser = webdriver.Chrome(options=options, service=Service(found[1]))
        try:
            yield browser
        finally:
            browser.quit()


def set_size(browser: webdriver.Chrome, size: tuple[int, int]) -> None:
    """Give the page a size. A window cannot be as narrow as a phone, its view can."""
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": size == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def wait_for(browser: webdriver.Chrome, script: str) -> Any:
    """Return what a script yields once it is true, or its last value."""
    end = time.monotonic() + PATIENCE
    while not (found := browser.execute_script(script)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def errors_of(browser: webdriver.Chrome) -> list[str]:
    """Return the errors in the console since the last call."""
    return [
        f"console: {line['message']}"
        for line in browser.get_log("browser")
        if line["level"] == "SEVERE"
    ]


def problems_of(browser: webdriver.Chrome, page: Path, size: tuple[int, int]) -> list[str]:
    """Open a page and return what is wrong with it."""
    set_size(browser, size)
    browser.get(page.as_uri())
    wait_for(browser, "return !document.querySelector('pre.mermaid')")
    found = browser.execute_script(LOOK)
    problems = errors_of(browser)
    problems += [f"missing image: {source}" for source in found["broken"]]
    problems += [
        f"asks the network: {name}"
        for name in found["asked"]
        if not name.startswith(("file:", "data:", "blob:"))
    ]
    if found["undrawn"]:
        problems.append(f"{found['undrawn']} diagrams are not drawn")
    if found["wide"] > 0:
        problems.append(f"scrolls sideways by {found['wide']} pixels")
    return problems


def check_search(browser: webdriver.Chrome, site: Path, word: str) -> list[str]:
    """Search for a word and return what is wrong with the search."""
    set_size(browser, DESKTOP)
    browser.get((site / "index.html").as_uri())
    field = browser.find_element("css selector", "input.md-search__input")
    browser.execute_script("arguments[0].focus()", field)
    field.send_keys(word)
    found = wait_for(
        browser,
        "return [...document.querySelectorAll('.md-search-result__item')]"
        ".map(item => item.textContent).join(' ')",
    )
    return [] if word in (found or "") else [f"the search does not find {word}"]


def check_dbt(browser: webdriver.Chrome, page: Path) -> list[str]:
    """Open dbt's own page and return what is wrong with it."""
    set_size(browser, DESKTOP)
    browser.get(page.as_uri())
    text = wait_for(
        browser, "return document.body.innerText.includes('kafka_cdc') && document.body.innerText"
    )
    problems = errors_of(browser)
    return problems if text else [*problems, "shows nothing of the project"]


def choose_few(pages: list[Path]) -> list[Path]:
    """Return two pages of each folder, and all pages with a diagram."""
    return [
        page
        for _, folder in itertools.groupby(pages, key=lambda page: page.parent)
        for number, page in enumerate(folder)
        if number < 2 or 'class="mermaid"' in page.read_text(encoding="utf-8")
    ]


def check(site: Path, few: bool = False) -> dict[str, list[str]]:
    """Return the problems of the pages of a site, without those of pages that are right."""
    found = {}
    pages = sorted(site.rglob("*.html"), key=lambda page: (page.parent, page))
    with open_browser() as browser:
        for page in choose_few(pages) if few else pages:
            name = page.relative_to(site).as_posix()
            # Links of the page for missing pages begin at the root of a server.
            if name == "404.html":
                continue
            if name == "dbt/index.html":
                found[name] = check_dbt(browser, page)
                continue
            for size in (DESKTOP, PHONE):
                found[f"{name} at {size[0]} pixels"] = problems_of(browser, page, size)
        found["search"] = check_search(browser, site, "compaction_threshold")
    return {name: problems for name, problems in found.items() if problems}


def shoot(site: Path, pages: list[str], folder: Path) -> None:
    """Write screenshots of pages at the width of a desktop and of a phone."""
    folder.mkdir(parents=True, exist_ok=True)
    with open_browser() as browser:
        for name in pages:
            for size in (DESKTOP, PHONE):
                set_size(browser, size)
                browser.get((site / name).as_uri())
                wait_for(browser, "return !document.querySelector('pre.mermaid')")
                time.sleep(3 if name.startswith("dbt") else 0.5)
                file = f"{name.replace('/', '-').removesuffix('.html')}-{size[0]}.png"
                browser.save_screenshot(str(folder / file))


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", type=Path, help="the folder of the built site")
    parser.add_argument("--few", action="store_true", help="open some of the pages only")
    parser.add_argument("--shots", type=Path, metavar="FOLDER", help="write screenshots there")
    parser.add_argument(
        "--pages", nargs="+", default=["index.html"], help="pages of the screenshots"
    )
    options = parser.parse_args()
    if options.shots:
        shoot(options.site.resolve(), options.pages, options.shots)
        return
    problems = check(options.site.resolve(), options.few)
    print(json.dumps(problems, indent=2, ensure_ascii=False))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
