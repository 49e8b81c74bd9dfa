"""Every command block of docs/getting-started and docs/guides runs, and prints what the page shows."""

import shutil

import pytest
from blocks import HOME, Page, Sandbox, matches, read_console, read_page

PAGES = [
    read_page(path)
    for folder in ("getting-started", "guides")
    for path in sorted((HOME / "docs" / folder).glob("*.md"))
]
# Each command of a page starts a JVM of its own. `make test` runs one page, `make test-long` runs all.
SHORT = "land-from-kafka"
RUN = [
    pytest.param(page, marks=() if SHORT in page.name else pytest.mark.slow, id=page.name)
    for page in PAGES
    if page.steps
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of all sandboxes, one after another: a lake holds its own path."""
    return tmp_path_factory.mktemp("docs")


@pytest.fixture(scope="module")
def samples(folder):
    """The lake that `make run` leaves."""
    sandbox = Sandbox(folder)
    code, output = sandbox.run("kafka-cdc demo")
    assert code == 0, output
    shutil.copytree(sandbox.folder / "lake", folder / "samples")
    return folder / "samples"


@pytest.fixture
def sandbox(request, folder):
    """The sandbox of a page, with the samples and the broker that it asks for."""
    page: Page = request.getfixturevalue("page")
    lake = request.getfixturevalue("samples") if page.has_samples else None
    broker = request.getfixturevalue("broker").servers if page.has_broker else ""
    made = Sandbox(folder, broker)
    if lake:
        shutil.rmtree(made.folder / "lake", ignore_errors=True)
        shutil.copytree(lake, made.folder / "lake")
    return made


@pytest.mark.parametrize("page", RUN)
def test_blocks(page, request):
    """The blocks of a page run in their order in a copy of the project."""
    if page.skip:
        pytest.skip(page.skip)
    sandbox = request.getfixturevalue("sandbox")
    for step in page.steps:
        if not step.skip and (problem := sandbox.take(step)):
            pytest.fail(f"docs/{page.name}:{step.line}\n{problem}", pytrace=False)


def test_skips_have_a_reason(capsys):
    """Every skipped page and block has a reason. The list is printed."""
    skips = [(f"docs/{page.name}", page.skip) for page in PAGES if page.skip]
    skips += [
        (f"docs/{page.name}:{step.line}", step.skip)
        for page in PAGES
        for step in page.steps
        if step.skip
    ]
    with capsys.disabled():
        for place, reason in skips:
            print(f"\nnot run: {place}: {reason}", end="")
        print()
    assert all(len(reason.split()) > 2 for _, reason in skips)


def test_output_is_compared_with_its_gaps():
    """`...` matches any lines and `…` any characters, also none. Everything else is compared."""
    assert matches(["one", "...", "landed … bytes"], "one\n2\n3\nlanded 17 bytes\n")
    assert matches(["...", "end"], "end\n")
    assert not matches(["one"], "one\ntwo\n")
    assert not matches(["a.c"], "abc\n")


def test_commands_are_separated_from_their_output():
    """A line after a prompt is output, unless the command goes on."""
    assert read_console("$ a \\\n  b\nout\n$ c\n") == [("a \\\n  b", ["out"]), ("c", [])]
