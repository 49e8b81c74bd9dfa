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
from .macros import unindent
from .markdown import MissingDescription, code, fence, heading, page, sentence, table

DEFAULT = re.compile(r"\s*\(default: ([^)]*)\)$")
"""How a help ends. The table of a command has a column for the default."""


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
    """Return the default of an option, as text. The help has it if the parser does not."""
    if action.required:
        return "required"
    if action.default in (None, False, "", [], argparse.SUPPRESS):
        found = DEFAULT.search(action.help or "")
        return escape(found[1]) if found else ""
    return code(action.default)


def help_of(action: argparse.Action, command: argparse.ArgumentParser) -> str:
    """Return the help of an option, with its placeholders filled."""
    values: dict[str, Any] = {**vars(action), "prog": command.prog}
    text = (action.help or "") % values
    return DEFAULT.sub("", text)


def missing_descriptions() -> list[str]:
    """Return the options, variables, exit codes and log events without a description."""
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
        found += [
            f"{module}: {value} has no meaning" for value in constants if not meanings.get(value)
        ]
    return found


EXAMPLE = re.compile(r"^\s*(kafka-cdc|dbt|kcat|[\w.]+=)|\S {2,}\S", re.MULTILINE)
"""What only an example or a list in columns has, and no sentence."""


OTHER_PAGES = ("exit codes:", "environment:")
"""Parts of a help text that have a page of their own."""


def split_help(text: str) -> list[str]:
    """Return a description or an epilog as Markdown: examples become code, the rest paragraphs."""
    parts: list[str] = []
    for block in re.split(r"\n\s*\n", text.strip("\n")):
        if block.startswith(OTHER_PAGES):
            continue
        head = ""
        for run in re.findall(r"(?:^ .*\n?)+|(?:^\S.*\n?)+", block, re.MULTILINE):
            is_indented = run.startswith(" ")
            if is_indented and EXAMPLE.search(run):
                parts += [escape(head), fence(unindent(run), "text")]
                head = ""
            elif is_indented:
                title = f"**{escape(head).rstrip(':')}.** " if head else ""
                parts.append(title + escape(run))
                head = ""
            else:
                parts.append(escape(head))
                head = run
        parts.append(escape(head))
    return [part for part in parts if part]


def escape(text: str) -> str:
    """Return text in one line, without what Markdown would take for HTML."""
    text = re.sub(r"\s+", " ", text).strip().replace("<", "&lt;").replace("*", "\\*")
    return text


def cli_page() -> str:
    """Return docs/reference/cli.md."""
    every = commands(parser())
    rows = [
        [f"[{code(name)}](#{name.replace(' ', '-')})", sentence(escape(text))]
        for name, _, text in every[1:]
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
        usage = re.sub(r"^(usage: | {7})", "", command.format_usage(), flags=re.MULTILINE)
        parts.append(fence(usage, "text"))
        rows = [
            [code(name_of(one)), default_of(one), sentence(escape(help_of(one, command)))]
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
        "dbt has exit codes of its own. 0: all nodes succeeded or warned. 1: a node or a test "
        "failed. 2: dbt could not run.",
    )


def log_events_page() -> str:
    """Return docs/reference/log-events.md."""
    parts = [
        "If stderr is not a terminal, [`kafka-cdc land kafka`](cli.md#kafka-cdc-land-kafka) writes "
        "one line for each event: the time in UTC, the event, and its facts as `name=value`."
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
