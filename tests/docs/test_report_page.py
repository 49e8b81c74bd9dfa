"""The page of `kafka-cdc report` in Chromium.

It executes nothing from data, is small and fast, and fits every screen.

The facts are made up, so no Spark is needed. tests/integration/test_monitoring.py checks the facts
of a lake.
"""

import hashlib
import json
import re
import subprocess
from pathlib import Path

import made_up_facts
import pytest

from conftest import HOME
from kafka_cdc.report import render

BROWSE = Path(__file__).with_name("report_browser.py")
HOSTILE = [
    "<script>window.hacked = 'script'</script>",
    "</script><script>window.hacked = 'end of the data'</script>",
    "<img src=x onerror=\"window.hacked = 'image'\">",
    "<!--<script>",
    "]]><svg onload=\"window.hacked = 'svg'\">",
    "\"><iframe srcdoc='<script>parent.hacked = 1</script>'>",
    "javascript:window.hacked='address'",
    "'; window.hacked = 'quote'; '",
    "${window.hacked = 'template'}{{ 7 * 7 }}{% raw %}",
    "\u2028\u0000\ud800</style><style>*{display:none}",
]
OVERFLOWING = "topic_" + "x" * 500
BODY = "return document.body.innerText"
HACKED = "return window.hacked || null"
FOREIGN = (
    "return document.querySelectorAll("
    "'main :is(script, img, iframe, svg, style), main [onerror], main [onload]').length"
)


def hostile_name():
    """Return a function that appends the hostile texts to names in turn."""
    seen = {}
    return lambda plain: plain + seen.setdefault(plain, HOSTILE[len(seen) % len(HOSTILE)])


@pytest.fixture(scope="module")
def browse(chromium):
    """Visit pages: the path of a file and the other arguments of report_browser."""
    if not (HOME / ".docs" / "ready").exists():
        subprocess.run(["make", "--no-print-directory", ".docs/ready"], cwd=HOME, check=True)

    def visit(*pages):
        done = subprocess.run(
            [HOME / ".docs" / "bin" / "python", BROWSE],
            cwd=HOME,
            input=json.dumps([{**page, "file": str(page["file"])} for page in pages]),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return visit


def write(folder, name, html):
    """Write a page and return its path."""
    file = folder / f"{name}.html"
    file.write_text(html, encoding="utf-8")
    return file


@pytest.mark.browser
def test_nothing_from_data_executes(browse, tmp_path):
    """Every text from data is HTML or JavaScript. The page shows it as text."""
    html = render.render(made_up_facts.lake(name=hostile_name()))
    file = write(tmp_path, "hostile", html)
    show_all = "document.querySelectorAll('.more button').forEach(b => b.click()); " + BODY
    click_all = "document.querySelectorAll('main button, th button').forEach(b => b.click())"
    scripts = [show_all, click_all, HACKED, FOREIGN]
    [found] = browse({"file": file, "scripts": scripts})
    assert found["is_ready"] and found["errors"] == [] and found["requests"] == []
    text, _, hacked, foreign = found["returned"]
    assert hacked is None and foreign == 0
    # Chromium replaces the control characters of the last one.
    assert [each for each in HOSTILE[:-1] if each not in text] == []


@pytest.mark.browser
def test_the_test_of_hostile_names_can_fail(browse, tmp_path):
    """A page that builds HTML from data executes it, unless the policy of the page forbids that."""
    html = render.render(made_up_facts.lake(name=hostile_name()))
    careless = html.replace("made.textContent = value", "made.innerHTML = value")
    assert careless != html
    policy = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
    open_page = write(tmp_path, "open", policy.sub("", careless))
    # The policy names the hash of the script, which has changed.
    script = re.findall(r"<script>(.*?)</script>", careless, flags=re.DOTALL)[-1]
    old = render.get_hash(re.findall(r"<script>(.*?)</script>", html, flags=re.DOTALL)[-1])
    guarded = html_escape(old), html_escape(render.get_hash(script))
    guarded_page = write(tmp_path, "guarded", careless.replace(*guarded))
    wait = "const end = Date.now() + 500; while (Date.now() < end);"
    opened, kept = browse(
        {"file": open_page, "scripts": [wait, HACKED]},
        {"file": guarded_page, "scripts": [wait, HACKED, FOREIGN]},
    )
    assert opened["returned"][1] is not None
    assert kept["is_ready"] and kept["returned"][1] is None and kept["returned"][2] > 0


def html_escape(text):
    """Return a text as the template escapes it in an attribute."""
    return text.replace("'", "&#39;")


@pytest.mark.browser
def test_it_fits_every_screen(browse, tmp_path):
    """At both widths and in both themes, whose colors differ.

    There is no console error, no request and no horizontal scrolling.
    """
    names = made_up_facts.lake(name=lambda plain: f"{plain}_{OVERFLOWING}")
    files = [
        write(tmp_path, "plain", render.render(made_up_facts.lake())),
        write(tmp_path, "wide", render.render(names)),
        write(tmp_path, "empty", render.render(made_up_facts.empty())),
    ]
    color = "return getComputedStyle(document.body).backgroundColor"
    # On a phone each cell begins with its label. Without a line break it runs into the value.
    unbroken = """
        return [...document.querySelectorAll('td[data-label]')].filter(
            cell => getComputedStyle(cell, '::before').whiteSpace === 'nowrap'
                && getComputedStyle(cell).display === 'grid').length
    """
    cases = [
        {"file": file, "size": size, "theme": theme, "scripts": [color, unbroken]}
        for file in files
        for size in ("desktop", "phone")
        for theme in ("light", "dark")
    ]
    found = browse(*cases)
    for case, page in zip(cases, found, strict=True):
        assert page["is_ready"] and page["errors"] == [] and page["requests"] == [], (case, page)
        assert page["wide"] <= 0 and page["returned"][1] == 0, (case, page)
    assert len({page["returned"][0] for page in found}) == 2


@pytest.mark.browser
def test_ten_thousand_tables_are_small_and_fast(browse, tmp_path):
    """A report of 1,000 topics with two weeks of hours, and 10,000 tables.

    It has at most 5 MB and opens within 3 seconds.
    """
    html = render.render(
        made_up_facts.lake(topics=1000, tables_of_topic=10, hours=336, details=500)
    )
    assert len(html.encode()) <= 5_000_000
    file = write(tmp_path, "large", html)
    filtered = """
        const input = document.getElementById('filter-topic');
        input.value = 'TOPIC_0777';
        input.dispatchEvent(new Event('input'));
    """
    wait = "const end = Date.now() + 100; while (Date.now() < end);"
    first, [_, _, result, rows] = [
        (page["milliseconds"], page["returned"])
        for page in browse(
            {
                "file": file,
                "scripts": [
                    filtered,
                    wait,
                    "return new Promise(done => setTimeout(() => done("
                    "document.getElementById('filter-result').textContent), 400))",
                    "return [...document.querySelectorAll('#tables tbody tr')]"
                    ".map(r => r.cells[0].textContent)",
                ],
            }
        )
    ][0]
    assert first <= 3000
    assert result == "1 topic, 10 tables"
    assert rows == [f"inventory.public.table_0777_{one}" for one in range(10)]


def test_the_data_cannot_end_its_element():
    value = {"a": HOSTILE}
    text = render.to_script_json(value)
    assert "<" not in text
    assert json.loads(text)["a"][:-1] == HOSTILE[:-1]


def test_long_times_are_shown_by_longer_intervals():
    """A thousand topics for two weeks would be 336,000 cells. Their sums stay the same."""
    facts = made_up_facts.lake(topics=1000, tables_of_topic=1, hours=336)
    wide, hours = render.widen_arrivals(facts.arrivals)
    assert hours == 24 and len(wide) <= 1000 * 15
    assert sum(row.changes for row in wide) == sum(row.changes for row in facts.arrivals)
    few = made_up_facts.lake(topics=10, hours=48)
    assert render.widen_arrivals(few.arrivals)[1] == 1


def test_the_chart_library_is_the_pinned_one():
    """It is the file of the npm package, with its license, and cannot end the script element."""
    folder = HOME / "src" / "kafka_cdc" / "report"
    charts = (folder / render.CHARTS).read_bytes()
    assert hashlib.sha256(charts).hexdigest() == render.CHARTS_SHA256
    assert b"Chart.js v4.5.1" in charts and b"</script" not in charts.lower()
    assert "MIT" in (folder / f"{render.CHARTS}.LICENSE.txt").read_text(encoding="utf-8")
