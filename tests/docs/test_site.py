"""The built site: every page is in the nav, and every page works in a browser without a network."""

import json
import tempfile
from pathlib import Path

import pytest

DESKTOP = (1400, 900)
PHONE = (390, 844)
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
    # A page that asks for anything outside of its folder fails at once.
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
ELEMENTS = """
const wide = document.scrollingElement.scrollWidth - window.innerWidth;
const broken = [...document.images].filter(i => i.complete && !i.naturalWidth).map(i => i.src);
const diagrams = [...document.querySelectorAll('.mermaid')];
const asked = performance.getEntriesByType('resource').map(r => r.name);
return {
    wide, broken, asked,
    plain: diagrams.filter(d => d.tagName === 'PRE').length,
};
"""


@pytest.fixture(scope="module")
def browser(chromium):
    """A headless Chromium with an empty profile."""
    selenium = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from selenium.webdriver.chrome.service import Service

    with tempfile.TemporaryDirectory(prefix="kafka_cdc_chromium_", ignore_cleanup_errors=True) as profile:
        options = selenium.ChromeOptions()
        options.binary_location = chromium[0]
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        driver = selenium.Chrome(options=options, service=Service(chromium[1]))
        yield driver
        driver.quit()


def set_size(browser, size):
    """Give the page's area a size. A window cannot be as narrow as a phone, its view can."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def problems_of(browser, page: Path, size):
    """Open a page and return what is wrong with it."""
    set_size(browser, size)
    browser.get(page.as_uri())
    for _ in range(50):  # diagrams are drawn after the page is loaded
        found = browser.execute_script(ELEMENTS)
        if not found["plain"] or page.name == "404.html":
            break
        browser.execute_async_script("setTimeout(arguments[0], 100)")
    problems = [f"console: {line['message']}" for line in browser.get_log("browser")
                if line["level"] in ("SEVERE", "WARNING")]  # fmt: skip
    problems += [f"image is missing: {source}" for source in found["broken"]]
    problems += [f"asks the network: {name}" for name in found["asked"]
                 if not name.startswith(("file:", "data:", "blob:"))]  # fmt: skip
    if found["plain"]:
        problems.append("a diagram is not drawn")
    if found["wide"] > 0:
        problems.append(f"scrolls sideways by {found['wide']} pixels at {size[0]} pixels")
    return problems


@pytest.mark.browser
def test_every_page_works_in_a_browser(site, browser):
    """No page has a console error or a missing asset, asks the network, or scrolls sideways."""
    pages = [page for page in sorted(site.rglob("*.html")) if page.parent.name != "dbt"]
    assert len(pages) > 50
    problems = {}
    for page in pages:
        for size in (DESKTOP, PHONE):
            if found := problems_of(browser, page, size):
                problems[f"{page.relative_to(site)} at {size[0]}"] = found
    assert problems == {}, json.dumps(problems, indent=1)


@pytest.mark.browser
def test_the_page_of_dbt_works_in_a_browser(site, browser):
    """dbt's own page opens as a file and shows the overview of the project."""
    page = site / "dbt" / "index.html"
    set_size(browser, DESKTOP)
    browser.get(page.as_uri())
    browser.execute_async_script("setTimeout(arguments[0], 3000)")
    assert "kafka_cdc" in browser.find_element("tag name", "body").text
    assert [line for line in browser.get_log("browser") if line["level"] == "SEVERE"] == []


@pytest.mark.browser
def test_the_search_works_without_a_server(site, browser):
    """The search of a page that was opened as a file finds a setting."""
    set_size(browser, DESKTOP)
    browser.get((site / "index.html").as_uri())
    field = browser.find_element("css selector", "input.md-search__input")
    browser.execute_script("arguments[0].focus()", field)
    field.send_keys("compaction_threshold")
    for _ in range(50):
        found = browser.find_elements("css selector", ".md-search-result__item")
        if found:
            break
        browser.execute_async_script("setTimeout(arguments[0], 100)")
    assert any("compaction_threshold" in item.get_attribute("textContent") for item in found)


def test_every_page_is_in_the_nav(site):
    """`make docs` fails on a page that the nav does not name: it was built, so there is none."""
    assert (site / "index.html").exists()
    assert (site / "search" / "search_index.js").exists()


def test_no_page_loads_anything_from_elsewhere(site):
    """Scripts, styles, fonts and images are in the site itself."""
    outside = []
    for page in site.rglob("*.html"):
        if page.parent.name == "dbt":
            continue
        text = page.read_text(encoding="utf-8")
        outside += [f"{page.name}: {word}" for word in ('src="http', 'src="//', "url(http") if word in text]
    assert outside == []
