"""The command line and its reference data: every command, option, exit code, log event and variable has a description."""

import argparse
import ast
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import dbt.cli.main
import pytest

from conftest import HOME, long
from kafka_cdc import cli, demo, environment, exit_codes, log_events
from kafka_cdc.errors import LandingError
from kafka_cdc.operation import run_operation
from kafka_cdc.tables import table_format

PACKAGE = HOME / "src" / "kafka_cdc"


def commands(parser, path=()):
    """Yield each command with its path, such as ('land', 'files')."""
    yield path, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield from commands(command, (*path, name))


COMMANDS = dict(commands(cli.build_parser()))


def test_the_commands():
    assert set(COMMANDS) == {
        (),
        ("land",),
        ("land", "files"),
        ("land", "kafka"),
        ("land", "schemas"),
        ("run",),
        ("session",),
        ("session", "start"),
        ("session", "stop"),
        ("session", "status"),
        ("demo",),
        ("inspect",),
        ("report",),
        ("metrics",),
        ("lineage",),
        ("typed-models",),
    }


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_help_shows_examples_first(path, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main([*path, "--help"])
    assert ended.value.code == exit_codes.SUCCESS
    text = capsys.readouterr().out.split("\n\n")
    assert text[2].startswith("Examples:\n  kafka-cdc "), text[:3]
    assert all(
        action.help
        for action in COMMANDS[path]._actions
        if not isinstance(action, argparse._SubParsersAction)
    )
    assert max(map(len, "\n".join(text).splitlines())) <= 100


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_each_option_has_its_default_and_its_value_a_name(path):
    for action in COMMANDS[path]._actions:
        if isinstance(action, (argparse._HelpAction, argparse._SubParsersAction)):
            continue
        assert action.required or re.search(r"\(default: .+\)$", action.help), action
        assert action.nargs == 0 or action.choices or action.metavar, action


@pytest.mark.parametrize(
    "arguments",
    [
        ("land", "kafka", "--topics", ""),
        ("land", "schemas", "--topics", " , "),
        ("run", "--topics", ""),
        ("typed-models", "--tables", ","),
    ],
    ids=lambda arguments: arguments[0],
)
def test_an_empty_variable_of_a_shell_names_nothing(arguments, capsys):
    """Before, `land schemas` found nothing new, and `run` landed nothing."""
    with pytest.raises(SystemExit) as ended:
        cli.main(list(arguments))
    assert ended.value.code == exit_codes.USAGE
    assert "names nothing; '*' matches all names" in capsys.readouterr().err


PRINT = "cli.run_metrics = lambda _: print('ü…') or 0; sys.exit(cli.main(['metrics']))"
HELP = "cli.main(['session', 'status', '--help'])"


def run_python(code, **options):
    """Run code in a process of its own, whose stdout has a buffer. Return the process."""
    hidden = ("PYTHONUNBUFFERED", "PYTHONUTF8", "PYTHONIOENCODING")
    variables = {name: value for name, value in os.environ.items() if name not in hidden}
    variables |= options.pop("variables", {})
    command = [sys.executable, "-c", f"import sys; from kafka_cdc import cli; {code}"]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run(command, env=variables, text=True, check=False, **options)


def test_a_terminal_without_utf_8_shows_escapes():
    variables = {"PYTHONIOENCODING": "ascii"}
    done = run_python(PRINT, variables=variables)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\\xfc\\u2026\n", "")
    done = run_python("cli.main(['land', 'kafka', '--help'])", variables=variables)
    assert (done.returncode, done.stderr) == (0, "") and 'password="\\u2026"' in done.stdout


def test_a_closed_stdout_is_no_error():
    done = run_python(PRINT, stdout=None, preexec_fn=lambda: os.close(1))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("code", [PRINT, HELP], ids=["metrics", "help"])
def test_an_output_that_cannot_be_written_is_one_line(code):
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = run_python(f"sys.exit({code})" if code == HELP else code, stdout=full)
    line = "error: No space left on device. Hint: free space on that disk\n"
    assert (done.returncode, done.stderr) == (exit_codes.FAILURE, line)


def test_sigterm_stops_a_command_that_does_not_land():
    kill = "__import__('os').kill(__import__('os').getpid(), 15)"
    sleep = "__import__('time').sleep(9)"
    code = f"cli.run_metrics = lambda _: {kill} or {sleep}; sys.exit(cli.main(['metrics']))"
    done = run_python(code)
    assert (done.returncode, done.stdout) == (exit_codes.INTERRUPTED, "")
    assert done.stderr == "stopped\n"


def test_sigterm_stops_a_landing_that_still_imports_its_modules(tmp_path):
    (tmp_path / "orders.jsonl").write_text("{}\n")
    code = """
import os

class Finder:
    def find_spec(self, name, *_):
        if name == "kafka_cdc.files.command":
            sys.meta_path.remove(self)
            os.kill(os.getpid(), 15)

sys.meta_path.insert(0, Finder())
"""
    done = run_python(f"{code}sys.exit(cli.main(['land', 'files', '{tmp_path}']))")
    assert (done.returncode, done.stdout) == (exit_codes.INTERRUPTED, "")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("run", [lambda: run_operation("m", {}), demo.build])
def test_an_interrupted_dbt_ends_the_command(run, monkeypatch):
    """dbt catches Ctrl-C and returns it."""
    result = SimpleNamespace(success=False, exception=KeyboardInterrupt())
    monkeypatch.setattr(dbt.cli.main.dbtRunner, "invoke", lambda *_: result)
    monkeypatch.setattr(demo, "copy_project", lambda: HOME)
    with pytest.raises(KeyboardInterrupt):
        run()


def test_a_deleted_working_directory_is_named(tmp_path):
    code = f"import os; os.chdir('{tmp_path}'); os.rmdir('{tmp_path}'); {PRINT}"
    done = run_python(code)
    assert (done.returncode, done.stdout) == (exit_codes.FAILURE, "")
    assert done.stderr == (
        "error: the working directory cannot be used: No such file or directory."
        " Hint: change to a folder that exists, then run the command again\n"
    )


def test_a_misspelled_variable_is_named(monkeypatch, capsys):
    """Variables of other programs, and properties of Kafka, have any names."""
    others = ["KAFKA_CDC_LONG", "KAFKA_CDC_KAFKA_SASL_JAAS_CONFIG", "KAFKA_CDC_KAFKA_PROPERTY"]
    others.append("KAFKA_CDC_THRIFT_SERVICE_HOST")  # of Kubernetes
    known = [one.name for one in environment.VARIABLES]
    wrong = {
        "KAFKA_CDC_LAKES": "KAFKA_CDC_LAKE",
        "KAFKA_CDC_DBT_PROJECT_DIR": "DBT_PROJECT_DIR",
    }
    assert environment.find_misspelled([*known, *others, *wrong, "LAKES"]) == wrong
    monkeypatch.setenv("KAFKA_CDC_TARGETS", "local")
    monkeypatch.setattr(sys, "argv", ["kafka-cdc", "metrics"])
    monkeypatch.setattr(cli, "run_metrics", lambda _: exit_codes.SUCCESS)
    assert cli.main() == exit_codes.SUCCESS
    assert capsys.readouterr().err == (
        "warning: kafka_cdc has no environment variable KAFKA_CDC_TARGETS."
        " Hint: do you mean KAFKA_CDC_TARGET?\n"
    )


@pytest.mark.parametrize(
    ("path", "named"),
    [((), ["land", "run", "report"]), (("land",), ["kafka", "files"]), (("session",), ["start"])],
)
def test_a_missing_command_lists_the_commands(path, named, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main([*path])
    assert ended.value.code == exit_codes.USAGE
    text = capsys.readouterr().err
    assert all(re.search(rf"^  {name} ", text, re.MULTILINE) for name in named), text


def test_an_unknown_option_shows_the_usage_of_its_command(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["report", "--outputt", "x"])
    assert ended.value.code == exit_codes.USAGE
    text = capsys.readouterr().err
    assert "usage: kafka-cdc report" in text and "unrecognized arguments: --outputt x" in text


def constants(module):
    """Return the constants of a module by name."""
    return {
        name: value
        for name, value in vars(module).items()
        if name.isupper() and name not in ("MEANINGS", "VARIABLES")
    }


@pytest.mark.parametrize("module", [exit_codes, log_events])
def test_each_constant_has_a_meaning(module):
    assert sorted(constants(module).values()) == sorted(module.MEANINGS) and all(
        module.MEANINGS.values()
    )


def test_log_events_are_those_that_the_code_logs():
    logged = set()
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("log", "log_new")
                and node.args
            ):
                logged.add(ast.unparse(node.args[0]))
    logged.remove("event")  # of log_new(), whose callers name it
    assert logged == {f"log_events.{name}" for name in constants(log_events)}


def test_the_secret_of_masks_comes_from_its_file(tmp_path, monkeypatch):
    file = tmp_path / "secret"
    file.write_text("a secret in a file\n", encoding="utf-8")
    monkeypatch.setenv("KAFKA_CDC_MASK_SECRET_FILE", str(file))
    monkeypatch.setenv("KAFKA_CDC_MASK_SECRET", "the variable counts first")
    assert environment.read_mask_secret() == "the variable counts first"
    monkeypatch.delenv("KAFKA_CDC_MASK_SECRET")
    assert environment.read_mask_secret() == "a secret in a file"
    file.write_bytes(b"\xff secret")
    with pytest.raises(LandingError, match="cannot be read: it is not UTF-8 text. Hint: "):
        environment.read_mask_secret()


def test_every_variable_is_described():
    """Variables that the code, the profile, the models and the DAG read; not those of the tests and benchmarks."""
    files = [
        *PACKAGE.rglob("*.py"),
        *(HOME / "dags").glob("*.py"),
        HOME / "profiles" / "profiles.yml",
        HOME / "dbt_project.yml",
        *(HOME / "macros").rglob("*.sql"),
    ]
    read = {
        name
        for file in files
        for name in re.findall(r"\bKAFKA_CDC_\w+[A-Z]\b", file.read_text(encoding="utf-8"))
    }
    known = {variable.name for variable in environment.VARIABLES}
    read = {name for name in read if not name.startswith("KAFKA_CDC_KAFKA_") or name in known}
    assert read <= known and all(variable.meaning for variable in environment.VARIABLES)


def test_python_starts_without_a_hook():
    """Nothing of the project runs when Python starts: no variable is set, no folder is made, and no module is imported."""
    code = "import os, sys; print([name for name in sys.modules if name.startswith(('kafka_cdc', 'landing'))], 'KAFKA_CDC_HOME' in os.environ)"
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("KAFKA_CDC", "DBT"))
    }
    assert (
        subprocess.run(
            [sys.executable, "-c", code], env=clean, text=True, capture_output=True
        ).stdout
        == "[] False\n"
    )


@pytest.mark.parametrize("place", ["absolute", pytest.param("relative", marks=long)])
def test_dbt_alone_finds_the_project_and_makes_the_lake(tmp_path, place):
    """`.venv/bin/dbt` in the project's folder, without activation: a missing folder of the lake is created."""
    lake = tmp_path / "lakes" / "one lake"
    variables = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("KAFKA_CDC", "DBT"))
    }
    variables |= {
        "KAFKA_CDC_LAKE": str(lake) if place == "absolute" else os.path.relpath(lake, HOME),
        "KAFKA_CDC_FILE_FORMAT": table_format.NAME,
    }
    options = ["--target-path", str(tmp_path / "target"), "--log-path", str(tmp_path / "logs")]
    command = [
        Path(sys.executable).parent / "dbt",
        "--quiet",
        "show",
        "--inline",
        "select 1 as one",
        *options,
    ]
    done = subprocess.run(command, cwd=HOME, env=variables, text=True, capture_output=True)
    assert done.returncode == 0 and "one" in done.stdout, done.stdout + done.stderr
    assert list(lake.iterdir())
