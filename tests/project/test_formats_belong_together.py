"""The project's rules for its files: the parts of a format, the place of vendors' paths, the form of a macro file.

Reads files as text, without Spark and dbt.
"""

import re

import pytest
import yaml
from golden_cases import COORDINATES

from conftest import CASES, HOME

pytestmark = pytest.mark.rules
MACROS = HOME / "macros"
MODELS = sorted((HOME / "models").rglob("*.sql"))
FORMATS = sorted(file for file in (MACROS / "formats").glob("*.sql") if file.stem != "format_list")
OTHER_MACROS = sorted(set(MACROS.rglob("*.sql")) - set((MACROS / "formats").rglob("*.sql")))
ALL_MACROS = sorted(MACROS.rglob("*.sql"))
PROPERTIES = sorted((HOME / "models").rglob("*.yml"))


def place(file):
    return str(file.relative_to(HOME))


def text_of(file):
    return file.read_text(encoding="utf-8")


def code_of(file):
    """Return a file without its {# #} comments."""
    return re.sub(r"\{#.*?#\}", "", text_of(file), flags=re.DOTALL)


def macros_of(file):
    """Return (name, lines) of each macro, or materialization, of a file."""
    found = list(
        re.finditer(
            r"^\{%-? (macro|materialization|test) (\w+)\b.*?\{%-? end\1 -?%\}",
            text_of(file),
            flags=re.MULTILINE | re.DOTALL,
        )
    )
    assert len(found) == len(
        re.findall(r"\{%-?\s*(?:macro|materialization|test)\b", text_of(file))
    ), f"{place(file)}: a macro that does not begin its line"
    return [(match[2], match[0].count("\n") + 1) for match in found]


def described_models():
    """Return (file, mapping) of each model that a yml file under models describes."""
    return [
        (file, model)
        for file in PROPERTIES
        for model in (yaml.safe_load(text_of(file)) or {}).get("models", [])
    ]


def registered():
    """Return the slugs of the registry, in its order."""
    listed = re.search(
        r"return\(\[(.*?)\]\)", code_of(MACROS / "formats" / "format_list.sql"), flags=re.DOTALL
    )
    return re.findall(r"'(\w+)'", listed[1])


SLUGS = registered()
EVENT_COLUMNS = dict(
    re.findall(
        r"^ {8}'(\w+)': '?(.*?)'?,$",
        code_of(MACROS / "events" / "contract" / "get_event_columns.sql"),
        flags=re.MULTILINE,
    )
)


def test_the_format_list_names_each_format_once():
    assert SLUGS
    assert len(SLUGS) == len(set(SLUGS))
    lines = code_of(MACROS / "formats" / "format_list.sql").splitlines()
    assert [line.strip(" ',") for line in lines if re.fullmatch(r"\s+'\w+',", line)] == SLUGS, (
        "one line for each format"
    )


LISTED = "add the slug to macros/formats/format_list.sql, or the missing files of the format"


def test_macro_files_are_the_registered_formats():
    assert {file.stem for file in FORMATS} == set(SLUGS), LISTED


def test_staging_models_are_the_registered_formats():
    staging = HOME / "models" / "staging"
    wanted = {f"stg_{slug}__events" for slug in SLUGS}
    assert {file.stem for file in staging.glob("*.sql")} == wanted, LISTED
    assert {file.stem for file in staging.glob("stg_*.yml")} == wanted, LISTED


def test_case_folders_are_the_registered_formats():
    assert {folder.name for folder in CASES.iterdir() if folder.is_dir()} == set(SLUGS), LISTED


def test_each_case_names_the_place_of_its_messages():
    """The pages of the formats quote the README of their cases."""
    cases = [file.parent for file in CASES.glob("*/*/expected_events.json")]
    missing = [place(case / "README.md") for case in cases if not (case / "README.md").exists()]
    assert cases and not missing, missing


def test_the_position_of_every_format_is_listed():
    page = text_of(HOME / "docs" / "concepts" / "broken-chains.md")
    section = page.split("\n## Gaps in the vendor's sequence\n")[1].split("\n## ")[0]
    first_cells = re.findall(r"^\|([^|]*)\|", section, flags=re.MULTILINE)
    listed = re.findall(r"`(\w+)`", "".join(first_cells))
    assert sorted(listed) == sorted(SLUGS), "one row of docs/concepts/broken-chains.md per format"


@pytest.mark.parametrize("slug", SLUGS)
def test_a_format_has_its_parts(slug):
    file = MACROS / "formats" / f"{slug}.sql"
    assert f"format_{slug}" in [name for name, _ in macros_of(file)]
    model = code_of(HOME / "models" / "staging" / f"stg_{slug}__events.sql")
    assert re.findall(r"select_flattened_messages\((.*?)\)", model) == [f"['{slug}']"]
    assert [
        model["name"]
        for file, model in described_models()
        if file.name == f"stg_{slug}__events.yml"
    ] == [f"stg_{slug}__events"], f"models/staging/stg_{slug}__events.yml has no such model"
    cases = [file.parent for file in (CASES / slug).glob("*/expected_events.json")]
    assert cases, f"tests/cases/{slug} has no case"
    for folder in cases:
        assert [f for f in ("messages.jsonl", "messages.kcat.jsonl") if (folder / f).exists()], (
            f"{place(folder)} has no messages"
        )


def test_formats_declare_the_rows_that_auto_reads_as_theirs():
    """The page of formats has the same ones. Its messages that are no rows confuse nobody."""
    declared = {
        (file.stem, slug)
        for file in FORMATS
        for listed in re.findall(r"\blookalikes\b'?\s*[=:]\s*\[(.*?)\]", code_of(file), re.DOTALL)
        for slug in re.findall(r"'(\w+)'", listed)
    }
    data = yaml.safe_load(text_of(HOME / "docs" / "data" / "formats.yml"))
    documented = {
        (read_as[1], messages[1])
        for line in data["ambiguous"]
        if (messages := re.match(r"`(\w+)`", line["messages"]))
        and (read_as := re.match(r"(?:rows as )?`(\w+)`", line["read_as"]))
        and "heartbeats" not in line["messages"]
    }
    assert declared == {(read_as, slug) for read_as, slug in documented if read_as != slug}
    assert declared


@pytest.mark.parametrize("file", FORMATS, ids=place)
def test_a_format_opens_with_its_document_sample_and_quirks(file):
    comment = re.match(r"\{#(.*?)#\}", text_of(file), flags=re.DOTALL)
    assert comment
    assert re.search(r"^  Document: \S", comment[1], flags=re.MULTILINE), "no line `Document: …`"
    assert re.search(r"^ {4}\S", comment[1], flags=re.MULTILINE), "no sample"
    assert re.search(r"^  Quirks$", comment[1], flags=re.MULTILINE), "no heading `Quirks`"


@pytest.mark.parametrize("file", ALL_MACROS, ids=place)
def test_a_macro_file_contains_one_public_macro_of_its_name(file):
    expected = {"format_list": "get_package_formats"}.get(file.stem) or (
        f"format_{file.stem}" if file.parent.name == "formats" else file.stem
    )
    assert [name for name, _ in macros_of(file) if not name.startswith("_")] == [expected]


@pytest.mark.parametrize("file", ALL_MACROS, ids=place)
def test_a_macro_file_begins_with_a_comment(file):
    assert text_of(file).startswith("{#")


@pytest.mark.parametrize("file", MODELS, ids=place)
def test_a_model_begins_with_its_grain(file):
    assert text_of(file).startswith("-- One row per ")


VIEWS = [
    file
    for file in MODELS
    if not re.search("incremental_skip_empty|get_batch_table_config", text_of(file))
]


@pytest.mark.parametrize("file", VIEWS, ids=place)
def test_a_view_names_its_columns(file):
    """Iceberg binds the columns of a view by position. A view with * would mix them up if a column comes or goes upstream."""
    outermost = re.findall(r"^select\s+(\S+)", code_of(file), flags=re.MULTILINE)
    assert [column for column in outermost if re.match(r"(\w+\.)?\*", column)] == []


@pytest.mark.parametrize("file", OTHER_MACROS + MODELS, ids=place)
def test_only_formats_contain_vendors_paths(file):
    code = code_of(file)
    own = (
        file.stem.removeprefix("stg_").removesuffix("__events")
        if file.parent.name == "staging"
        else None
    )
    assert (
        re.findall(r"\b(?:format|slug)\s*(?:(?:==|!=)\s*'(?!auto')|in\s*[\[(]\s*').*", code) == []
    ), "a format is treated apart"
    assert not re.search(r"\b(?:get_json_object|json_tuple)\s*\(|'\$[.\[]", code), "a JSON path"
    slugs = [
        slug for slug in SLUGS if slug != own and re.search(rf"['\"]{slug}['\"]|\b{slug}\.", code)
    ]
    assert slugs == [], "a format by its name"
    vendors_names = set(
        re.findall(
            r"\b[a-z]{2,}[A-Z]\w*|\b[A-Z]+_[A-Z_]+\b",
            "".join(code_of(format) for format in FORMATS),
        )
    )
    assert sorted(vendors_names & set(re.findall(r"\w+", code))) == [], (
        "fields of a vendor's document"
    )


def test_every_model_is_described_once():
    assert sorted(model["name"] for _, model in described_models()) == sorted(
        file.stem for file in MODELS
    )
    assert [
        model["name"] for _, model in described_models() if not model.get("description", "").strip()
    ] == []


def test_the_events_model_describes_the_contract():
    assert len(EVENT_COLUMNS) > 30
    (events,) = [model for _, model in described_models() if model["name"] == "events"]
    described = [column["name"] for column in events["columns"]]
    assert described == list(EVENT_COLUMNS), "describe the columns in models/parsed/parsed.yml"
    assert [column["name"] for column in events["columns"] if not column.get("description")] == []
    types = {
        column["name"]: column["data_type"] for column in events["columns"] if "data_type" in column
    }
    types.pop("ddl_tables", None)  # its type is that of get_ddl_table_type
    assert {name: EVENT_COLUMNS[name] for name in types} == types


def test_the_changelog_describes_its_columns():
    query = code_of(MACROS / "publication" / "select_published_changes.sql")
    others = re.findall(r"'(\w+)'", re.search(r"set others = \[(.*?)\]", query, re.DOTALL)[1])
    (changelog,) = [model for _, model in described_models() if model["name"] == "changelog"]
    described = [column["name"] for column in changelog["columns"]]
    shown = [name for name in EVENT_COLUMNS if name not in others]
    assert described == shown, "describe the columns in models/marts/marts.yml"


# They have no values of a row and no text of a payload.
KEPT_WHEN_ERASED = COORDINATES | {
    "source_format",
    "occurred_at",
    "emitted_at",
    "source_sequence",
    "snapshot_mark",
}


def test_an_erasure_decides_about_every_column():
    query = code_of(MACROS / "erasure" / "select_redacted_events.sql")
    named = set(re.findall(r"'(\w+)'", query)) & EVENT_COLUMNS.keys()
    assert EVENT_COLUMNS.keys() - named == KEPT_WHEN_ERASED, (
        "clear the column in select_redacted_events.sql, or add it to KEPT_WHEN_ERASED"
    )


def test_every_check_is_described():
    names = set()
    for file in OTHER_MACROS:
        names |= set(re.findall(r"'(\w+)' as check_name", code_of(file)))
    assert len(names) >= 9
    for file in (
        "models/gates/gates.yml",
        "models/monitoring/monitoring.yml",
        "docs/concepts/held-tables.md",
    ):
        missing = {name for name in names if not re.search(rf"\b{name}\b", text_of(HOME / file))}
        assert missing == set(), f"{file} lacks the check"
