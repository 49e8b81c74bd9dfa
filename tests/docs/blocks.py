"""Runs the command blocks of the pages of the documentation, as a reader would.

A page is a list of steps. A step is a block ```console or ```bash, a block that a directive writes
to a file, or hidden commands. Directives are HTML comments above a block:

<!-- test: skip because REASON -->        does not run the next block
<!-- test: skip page because REASON -->   runs no block of the page
<!-- test: compare output -->             compares the output of the next console block
<!-- test: exit code N -->                expects the exit code N of the next block
<!-- test: file PATH -->                  writes the next block to a file
<!-- test: append PATH -->                adds the next block to a file
<!-- test: run\nCOMMANDS\n-->             runs hidden commands
<!-- test: kafka -->                      gives the page a broker, named broker:9092 in its commands
<!-- test: samples -->                    starts the page with the lake that `make run` leaves

In compared output a line `...` stands for any lines, and `…` inside a line for any characters.
"""

import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
LONGEST = 900
"""Seconds that a command may take."""

COMMENT = re.compile(r"<!-- test: (?P<text>.*?)\s*-->", re.DOTALL)
FENCE = re.compile(r"^(?P<indent>\s*)(?P<marks>`{3,}|~{3,})(?P<language>\w*)")
ANSI = re.compile(r"\x1b\[[0-9;]*[a-zA-Z]")
TOOLS = {
    "produce": '#!/bin/sh\nexec "{python}" "{home}/tests/docs/produce.py" "$@"\n',
}


@dataclass
class Step:
    """A block, with the directives above it."""

    line: int
    kind: str  # console, bash, file, append or run
    text: str
    path: str = ""
    exit_code: int = 0
    is_compared: bool = False
    skip: str = ""


@dataclass
class Page:
    """The steps of a page."""

    path: Path
    steps: list[Step] = field(default_factory=list)
    skip: str = ""
    has_broker: bool = False
    has_samples: bool = False

    @property
    def name(self) -> str:
        """The page's path below docs/."""
        return self.path.relative_to(HOME / "docs").as_posix()


def read_page(path: Path) -> Page:
    """Return the steps of a page. Raises ValueError at a directive that is none."""
    page, directives = Page(path), {}
    lines = path.read_text(encoding="utf-8").splitlines()
    at = 0
    while at < len(lines):
        start, line = at + 1, lines[at]
        if "<!-- test:" in line:
            end = at
            while "-->" not in lines[end]:
                end += 1
            found = COMMENT.search("\n".join(lines[at : end + 1]))
            read_directive(page, directives, found["text"], start)
            at = end + 1
            continue
        fence = FENCE.match(line)
        if fence is None:
            at += 1
            continue
        end = at + 1
        while not lines[end].strip().startswith(fence["marks"]):
            end += 1
        indent = fence["indent"]
        text = "\n".join(inner.removeprefix(indent) for inner in lines[at + 1 : end]) + "\n"
        at = end + 1
        kind = directives.pop("kind", fence["language"])
        if kind in ("console", "bash", "file", "append"):
            page.steps.append(Step(start, kind, text, **directives))
        elif directives:
            raise ValueError(f"{page.name}:{start}: a directive above a block that is not run")
        directives = {}
    if directives:
        raise ValueError(f"{page.name}: a directive without a block")
    return page


def read_directive(page: Page, directives: dict[str, object], text: str, line: int) -> None:
    """Apply a directive to the page or to the next block."""
    word, _, rest = text.partition(" ")
    if text.startswith("skip page because "):
        page.skip = text.removeprefix("skip page because ")
    elif text.startswith("skip because "):
        directives["skip"] = text.removeprefix("skip because ")
    elif text == "compare output":
        directives["is_compared"] = True
    elif found := re.fullmatch(r"exit code (\d+)", text):
        directives["exit_code"] = int(found[1])
    elif word in ("file", "append") and rest:
        directives.update(kind=word, path=rest)
    elif text.startswith("run\n"):
        page.steps.append(Step(line, "run", text.removeprefix("run\n")))
    elif text == "kafka":
        page.has_broker = True
    elif text == "samples":
        page.has_samples = True
    else:
        raise ValueError(f"{page.name}:{line}: unknown directive: {text}")


def read_console(text: str) -> list[tuple[str, list[str]]]:
    """Return the commands of a console block, each with the output below it."""
    commands: list[tuple[str, list[str]]] = []
    is_continued = False
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands and (is_continued or line.startswith("> ")):
            command, output = commands[-1]
            commands[-1] = (f"{command}\n{line.removeprefix('> ')}", output)
        elif commands:
            commands[-1][1].append(line)
        elif line.strip():
            raise ValueError(f"a console block that does not begin with $: {line}")
        is_continued = bool(commands) and not commands[-1][1] and line.endswith("\\")
    return commands


def matches(expected: list[str], output: str) -> bool:
    """Return whether a command printed what the page shows."""
    pattern = ""
    for line in expected:
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += ".*".join(re.escape(part) for part in line.rstrip().split("…")) + r"[ \t]*\n"
    lines = "".join(line.rstrip() + "\n" for line in output.rstrip().splitlines())
    return re.fullmatch(pattern, lines) is not None


class Sandbox:
    """A copy of the project in a folder of its own, and a shell in it."""

    def __init__(self, folder: Path, broker: str = "") -> None:
        self.folder = folder / "kafka_cdc"
        self.state = folder / "state"
        self.broker = broker
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.copy_project()
        self.copy_environment()
        self.start_shell(folder)

    def copy_project(self) -> None:
        """Copy what git has, and what it would add."""
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=HOME, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            source, target = HOME / name, self.folder / name
            if source.is_file():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        (self.folder / ".jars").symlink_to(HOME / ".jars")

    def copy_environment(self) -> None:
        """Make a .venv that has the packages of this one, and the paths of the sandbox."""
        real, copy = (HOME / ".venv").resolve(), self.folder / ".venv"
        (copy / "bin").mkdir(parents=True)
        for file in real.iterdir():
            if file.name in ("ready", "package"):
                shutil.copy(file, copy)
            elif file.name != "bin":
                (copy / file.name).symlink_to(file)
        for file in (real / "bin").iterdir():
            if file.name.startswith("activate"):
                text = file.read_text(encoding="utf-8").replace(str(real), str(copy))
                (copy / "bin" / file.name).write_text(text, encoding="utf-8")
            else:
                (copy / "bin" / file.name).symlink_to(file)
        for name, text in TOOLS.items():
            tool = copy / "bin" / name
            tool.write_text(text.format(python=sys.executable, home=HOME), encoding="utf-8")
            tool.chmod(0o755)

    def start_shell(self, folder: Path) -> None:
        """Set the variables of the first command: those of a new shell with .venv active."""
        ours = ("KAFKA_CDC_", "DBT_", "PYTHON", "PYTEST_", "SPARK_", "VIRTUAL_ENV", "OLDPWD")
        self.variables = {k: v for k, v in os.environ.items() if not k.startswith(ours)}
        self.variables["PYTHONPATH"] = str(self.folder / "src")
        if self.broker:
            self.variables["BROKER"] = self.broker
        self.state.unlink(missing_ok=True)
        (folder / "cwd").write_text(str(self.folder))
        self.run(". .venv/bin/activate")

    def run(self, command: str) -> tuple[int, str]:
        """Run a command in the shell. Returns its exit code and its output."""
        state, folder = shlex.quote(str(self.state)), self.state.parent
        cwd = (folder / "cwd").read_text().strip()
        command = command.replace("broker:9092", self.broker) if self.broker else command
        script = (
            f"[ -f {state} ] && . {state}\n{command}\n"
            f"code=$?; export -p > {state}; pwd > {shlex.quote(str(folder / 'cwd'))}; exit $code\n"
        )
        output = folder / "output"
        with output.open("wb") as file:
            shell = subprocess.Popen(
                ["bash", "-c", script], cwd=cwd, env=self.variables, stdin=subprocess.DEVNULL,
                stdout=file, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
            try:
                code = shell.wait(LONGEST)
            except subprocess.TimeoutExpired:
                os.killpg(shell.pid, signal.SIGKILL)
                raise
        return code, ANSI.sub("", output.read_text(encoding="utf-8", errors="replace"))

    def take(self, step: Step) -> str:
        """Take a step. Returns what went wrong, or an empty text."""
        if step.kind in ("file", "append"):
            file = Path((self.state.parent / "cwd").read_text().strip()) / step.path
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("w" if step.kind == "file" else "a", encoding="utf-8") as open_file:
                open_file.write(step.text)
            return ""
        if step.kind == "console":
            commands = read_console(step.text)
        else:
            commands = [(f"set -e\n{step.text}\nset +e", [])]
        for at, (command, expected) in enumerate(commands):
            code, output = self.run(command)
            wanted = step.exit_code if at == len(commands) - 1 else 0
            if code != wanted:
                return f"$ {command}\nended with {code} instead of {wanted}:\n{output}"
            if step.is_compared and not matches(expected, output):
                shown = "\n".join(expected)
                return f"$ {command}\nprinted\n{output}\nThe page shows\n{shown}"
        return ""
