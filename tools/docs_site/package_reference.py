"""The pages about the Python package: command line, environment, exit codes and log events.

They are made of the package's own parser and data. Nothing of it imports Spark.
"""

import argparse
import importlib
import re
import sys
from types import ModuleType
from typing import Any

from . import HOME
from .markdown import MissingDescription, code, fence, heading, page, sentence, table


def load(name: str) -> ModuleType:
    """Import a module of the package from src/, where the site's own environment lacks it."""
    source = str(HOME / "src")
    if source not in sys.path:
        sys.path.insert(0, source)
    return importlib.import_module(f"kafka_cdc.{name}")


def parser() -> argparse.ArgumentParser:
    """Return the parser of kafka-cdc."""
    found: argparse.ArgumentParser = load("cli").build_parser()
    return found


def commands(
    command: argparse.ArgumentParser, name: str = "kafka-cdc"
) -> list[tuple[str, argparse.ArgumentParser, str]]:
    """Return a command and the commands below it: their names, parsers and one-line helps."""
    found = [(name, command, "")]
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for word, child in action.choices.items():
                below = commands(child, f"{name} {word}")
                found += [(below[0][0], below[0][1], helps.get(word, "")), *below[1:]]
    return found


def options(command: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the options and arguments of a command, without --help."""
    return [
        action
        for action in command._actions
        if not isinstance(action, (argparse._HelpAction, argparse._SubParsersAction))
    ]


def name_of(action: argparse.Action) -> str:
    """Return an option with its value, as the command line has it."""
    value = action.metavar or action.dest.upper()
    if action.choices:
        value = "{" + ",".join(str(choice) for choice in action.choices) + "}"
    if not action.option_strings:
        return str(value)
    return ", ".join(action.option_strings) + ("" if action.nargs == 0 else f" {value}")


def default_of(action: argparse.Action) -> str:
    """Return the default of an option, as text."""
    if action.required:
        return "required"
    if action.default in (None, False, argparse.SUPPRESS):
        return ""
    return code(action.default)


def help_of(action: argparse.Action, command: argparse.ArgumentParser) -> str:
    """Return the help of an option, with its placeholders filled."""
    values: dict[str, Any] = {**vars(action), "prog": command.prog}
    text = (action.help or "") % values
    # The table has a column for the default.
    return re.sub(r"\s*\(default: [^)]*\)$", "", text)


def missing_descriptions() -> list[str]:
    """Return what of the command line, environment, exit codes and log events has no description."""
    found = []
    for name, command, text in commands(parser()):
        if not command.description and not text:
            found.append(f"{name}: no description")
        found += [f"{name} {name_of(one)}: no help" for one in options(command) if not one.help]
    found += [f"{one.name}: no meaning" for one in load("environment").VARIABLES if not one.meaning]
    for module in ("exit_codes", "log_events"):
        constants = {
            value
            for name, value in vars(load(module)).items()
            if name.isupper() and name != "MEANINGS" and isinstance(value, (int, str))
        }
        meanings = load(module).MEANINGS
        found += [f"{module}: {value} has no meaning" for value in constants if not meanings.get(value)]
    return found


def split_help(text: str) -> list[str]:
    """Return a description or an epilog as Markdown: indented lines become code."""
    parts: list[str] = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        lines = block.splitlines()
        plain = [line for line in lines if not line.startswith("  ")]
        indented = [line for line in lines if line.startswith("  ")]
        if not indented:
            parts.append(" ".join(line.strip() for line in plain).replace("<", "&lt;"))
            continue
        head = re.sub(r"^examples?:$", "Examples:", " ".join(plain)).replace("<", "&lt;")
        parts += [head, fence("\n".join(line.removeprefix("  ") for line in indented), "text")]
    return [part for part in parts if part]


def cli_page() -> str:
    """Return docs/reference/cli.md."""
    every = commands(parser())
    rows = [
        [f"[{code(name)}](#{name.replace(' ', '-')})", sentence(text)] for name, _, text in every[1:]
    ]
    parts = [
        "The command `kafka-cdc` lands messages and shows what landed. `kafka-cdc COMMAND --help` "
        "prints the text of this page. See also [environment variables](environment.md), "
        "[exit codes](exit-codes.md) and [log events](log-events.md).",
        table(["Command", "What it does"], rows),
    ]
    for name, command, _ in every[1:]:
        parts.append(heading(2, code(name), name.replace(" ", "-")))
        parts += split_help(command.description or "")
        usage = re.sub(r"^usage: ", "", command.format_usage()).rstrip()
        parts.append(fence(usage, "text"))
        rows = [
            [code(name_of(one)), default_of(one), sentence(help_of(one, command).replace("<", "&lt;"))]
            for one in options(command)
        ]
        if rows:
            parts.append(table(["Option", "Default", "Meaning"], rows))
        parts += split_help(command.epilog or "")
    return page("Command line", "kafka_cdc.cli", *parts)


def environment_page() -> str:
    """Return docs/reference/environment.md."""
    rows = []
    for one in load("environment").VARIABLES:
        if not one.meaning:
            raise MissingDescription(f"kafka_cdc.environment: {one.name} has no meaning")
        anchor = re.sub(r"\W+", "", one.name).lower()
        shown = one.default if not one.default or " " in one.default else code(one.default)
        rows.append([f'<span id="{anchor}"></span>{code(one.name)}', shown, sentence(one.meaning)])
    return page(
        "Environment variables",
        "kafka_cdc.environment",
        "Variables that landing, dbt and the Airflow DAG read.",
        table(["Variable", "Default", "Meaning"], rows),
    )


def exit_codes_page() -> str:
    """Return docs/reference/exit-codes.md."""
    rows = [[code(number), meaning] for number, meaning in load("exit_codes").MEANINGS.items()]
    return page(
        "Exit codes",
        "kafka_cdc.exit_codes",
        "How [`kafka-cdc`](cli.md) ends.",
        table(["Code", "Meaning"], rows),
        "dbt has exit codes of its own: 0 if all nodes succeeded or warned, 1 if a node or a test "
        "failed, and 2 if dbt could not run.",
    )


def log_events_page() -> str:
    """Return docs/reference/log-events.md."""
    parts = [
        "If stderr is not a terminal, [`kafka-cdc land kafka`](cli.md#kafka-cdc-land-kafka) writes one "
        "line for each event: the time in UTC, the event, and its facts as `name=value`."
    ]
    for name, meaning in load("log_events").MEANINGS.items():
        parts += [heading(2, code(name), name), meaning]
    return page("Log events", "kafka_cdc.log_events", *parts)


def pages() -> dict[str, str]:
    """Return the generated pages, by path."""
    return {
        "reference/cli.md": cli_page(),
        "reference/environment.md": environment_page(),
        "reference/exit-codes.md": exit_codes_page(),
        "reference/log-events.md": log_events_page(),
    }
