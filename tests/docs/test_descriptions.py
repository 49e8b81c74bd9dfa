"""Everything public has a description, and what is written twice is the same."""

import re
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOME))

from tools.docs_site import formats, macro_reference, models, package_reference, settings  # noqa: E402

PROSE_LENGTH = 100
README_LINES = 160
README_WORDS = 900
PAGES = sorted(
    file for file in [*HOME.glob("*.md"), *(HOME / "docs").rglob("*.md"), *HOME.glob("macros/*.md")]
)


def test_settings_match_the_macros():
    """docs/data/settings.yml has the names, choices and defaults of the code, each with a meaning."""
    assert settings.differences() == []


@pytest.mark.parametrize(
    "module", [models, macro_reference, package_reference], ids=lambda one: one.__name__
)
def test_nothing_public_lacks_a_description(module):
    """Models, columns, types, macros, options, variables, exit codes and log events have one."""
    assert module.missing_descriptions() == []


def test_defaults_of_options_are_in_the_table():
    """Also those that only the help has, because the code finds them when the command runs."""
    names = {
        (name, package_reference.name_of(option)): package_reference.default_of(option)
        for name, command, _ in package_reference.commands(package_reference.parser())
        for option in package_reference.options(command)
    }
    assert names["kafka-cdc run", "--interval TIME"] == "15s"
    assert names["kafka-cdc report", "--output FILE"] == "target/report.html in the project"
    assert names["kafka-cdc inspect", "PATH"] == "Kafka"
    assert "" not in names.values()


def test_every_format_has_a_page():
    """The comment, the golden case and the name of each format are there."""
    assert all(formats.format_page(one) for one in formats.read_formats())


def test_only_binary_formats_are_shown_as_base64():
    """Golden cases of a binary format have records.jsonl, from which their Avro is encoded."""
    binary = {file.parents[1].name for file in (HOME / "tests/cases").glob("*/*/records.jsonl")}
    assert {one.slug for one in formats.read_formats() if one.is_binary} == binary


def test_reject_codes_and_tests_have_a_meaning():
    """Each reject code is in docs/data/reject_codes.yml, each test has a comment."""
    assert models.read_reject_codes()
    assert models.tests_page()


def test_commands_exist():
    """Each command that the reference names is a macro."""
    names = {macro.name for macro in macro_reference.operations()}
    assert macro_reference.COMMANDS <= names


def test_every_environment_variable_is_described():
    """A variable KAFKA_CDC_… that the code reads is in kafka_cdc.environment."""
    described = {one.name for one in package_reference.load("environment").VARIABLES}
    described = {re.sub(r"<\w+>", "", name) for name in described}
    folders = ("src", "macros", "models", "profiles", "dags")
    files = [file for name in folders for file in (HOME / name).rglob("*") if file.is_file()]
    files.append(HOME / "dbt_project.yml")
    read = {
        name
        for file in files
        if file.suffix in (".py", ".sql", ".yml", ".sh")
        for name in re.findall(r"\bKAFKA_CDC_[A-Z_]+\b", file.read_text(encoding="utf-8"))
    }
    unknown = {
        name for name in read if name not in described and not name.startswith("KAFKA_CDC_KAFKA_")
    }
    assert unknown == set()


def test_readme_is_short():
    """README is what a stranger reads in five minutes."""
    text = (HOME / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= README_LINES
    assert len(text.split()) <= README_WORDS


@pytest.mark.rules
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(HOME)))
def test_lines_are_short(page):
    """Lines have at most 100 characters outside tables, code blocks and links."""
    long, is_code = [], False
    text = page.read_text(encoding="utf-8")
    text = re.sub(
        r"<!--.*?-->", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL
    )
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*(```|~~~)", line):
            is_code = not is_code
        elif not is_code and not line.lstrip().startswith("|"):
            shown = re.sub(r"\]\([^)]*\)", "]", line)
            if len(shown) > PROSE_LENGTH:
                long.append(f"{number}: {len(shown)} characters")
    assert long == []
