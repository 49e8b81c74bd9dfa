"""The hook of MkDocs that adds the generated pages and the scripts of the site."""

import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

HOME = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOME))

from tools.docs_site import (  # noqa: E402
    formats,
    macro_reference,
    models,
    package_reference,
    settings,
)
from tools.docs_site.assets import ASSETS  # noqa: E402

DIAGRAM = 'class="mermaid"'
DBT_DOCS = HOME / "target" / "static_index.html"
NO_DBT_DOCS = "<!doctype html><title>dbt</title><p>Run <code>make docs</code> to build this page."


def generate() -> dict[str, str]:
    """Return all generated pages, by path."""
    modules = (formats, settings, models, macro_reference, package_reference)
    return {path: text for module in modules for path, text in module.pages().items()}


def expand(nav: Any, paths: list[str]) -> Any:
    """Return a nav in which an entry `folder/*` is replaced by the pages that it does not name."""
    named = set(names(nav))

    def of(entry: Any) -> list[Any]:
        if isinstance(entry, dict):
            return [
                {k: [x for e in v for x in of(e)] if isinstance(v, list) else v}
                for k, v in entry.items()
            ]
        if not entry.endswith("/*"):
            return [entry]
        folder = entry.removesuffix("*")
        return [one for one in paths if one.startswith(folder) and one not in named]

    return [one for entry in nav for one in of(entry)]


def names(nav: Any) -> list[str]:
    """Return the paths that a nav names."""
    if isinstance(nav, str):
        return [nav]
    inner = nav.values() if isinstance(nav, dict) else nav
    return [name for one in inner for name in names(one)]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Generate the pages, and name them in the nav."""
    config.extra["generated"] = pages = generate()
    folder = Path(config.docs_dir)
    written = [file.relative_to(folder).as_posix() for file in folder.rglob("*.md")]
    config.nav = expand(config.nav, sorted({*written, *pages}))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages and the scripts."""
    for path, text in config.extra["generated"].items():
        files.append(File.generated(config, path, content=text))
    for asset in ASSETS:
        source = HOME / ".docs" / "assets" / asset.file
        files.append(File.generated(config, f"assets/{asset.file}", abs_src_path=str(source)))
    files.append(File.generated(config, "dbt/index.html", content=dbt_docs()))
    return files


def dbt_docs() -> str:
    """Return dbt's own page, without two links by which a browser looks for missing files."""
    if not DBT_DOCS.exists():
        return NO_DBT_DOCS
    text = DBT_DOCS.read_text(encoding="utf-8")
    text = text.replace('<use xlink:href="{{ getIcon(', '<use ng-attr-href="{{ getIcon(')
    return re.sub(r'<link rel="shortcut icon"[^>]*/>', '<link rel="icon" href="data:,"/>', text)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Fill in the tables of the index of formats."""
    if "<!-- table:" not in markdown:
        return markdown
    markdown = markdown.replace("<!-- table: formats -->", formats.matrix())
    return markdown.replace("<!-- table: ambiguous -->", formats.ambiguous())


def on_page_content(html: str, **_: Any) -> str:
    """Let long code in tables, such as a row as JSON, break after its commas."""
    return re.sub(
        r"<code>([^<\s]{30,})</code>(?=[^<]*</td>)",
        lambda found: f"<code>{found[1].replace(',', ',<wbr>')}</code>",
        html,
    )


def on_post_page(output: str, **_: Any) -> str:
    """Load the script of diagrams, which is large, only in pages that have one."""
    if DIAGRAM in output:
        return output
    lines = output.splitlines(keepends=True)
    return "".join(line for line in lines if "assets/mermaid.min.js" not in line)
