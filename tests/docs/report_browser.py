"""Opens the reports of test_report_page.py in Chromium. Runs in .docs, which has Selenium.

Standard input is a JSON list of visits: a file, a size, a theme, and scripts to run. Standard
output is a list of what was found: console errors, requests, overflow, milliseconds until the page
is ready, and what each script returned.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.docs_site.browse import LOOK, errors_of, open_browser, set_size, wait_for

SIZES = {"desktop": (1400, 900), "phone": (390, 844)}


def visit(browser, page):
    """Open a page and return what is found."""
    media = [{"name": "prefers-color-scheme", "value": page.get("theme", "light")}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
    set_size(browser, SIZES[page.get("size", "desktop")])
    browser.get(Path(page["file"]).as_uri())
    is_ready = bool(wait_for(browser, "return document.documentElement.dataset.ready"))
    look = browser.execute_script(LOOK)
    return {
        "is_ready": is_ready,
        "milliseconds": browser.execute_script("return performance.now()"),
        "errors": errors_of(browser),
        "requests": [name for name in look["asked"] if not name.startswith("data:")],
        "wide": look["wide"],
        "returned": [browser.execute_script(script) for script in page.get("scripts", [])],
    }


def main():
    """Visit the pages, each in the same browser."""
    with open_browser() as browser:
        print(json.dumps([visit(browser, page) for page in json.load(sys.stdin)]))


if __name__ == "__main__":
    main()
