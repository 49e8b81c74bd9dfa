"""The page docs/reference/settings.md, from docs/data/settings.yml.

The macros that validate the settings and dbt_project.yml hold the names, the choices and the
defaults too. `differences` compares them, and a test fails if there are any.
"""

import functools
import re
from typing import Any

import yaml

from . import HOME
from .macros import Macros, callable_macros, read_macros
from .markdown import MissingDescription, code, fence, heading, page, table


@functools.cache
def read_settings() -> list[dict[str, Any]]:
    """Return the settings. Raises MissingDescription if one has no meaning."""
    file = HOME / "docs" / "data" / "settings.yml"
    settings: list[dict[str, Any]] = yaml.safe_load(file.read_text(encoding="utf-8"))["settings"]
    for setting in settings:
        for one in [setting, *setting.get("entries", [])]:
            if not one.get("meaning") or not one.get("type"):
                raise MissingDescription(
                    f"docs/data/settings.yml: {one['name']} has no meaning or type"
                )
    return settings


def project_variables() -> dict[str, Any]:
    """Return the variables of dbt_project.yml."""
    project = yaml.safe_load((HOME / "dbt_project.yml").read_text(encoding="utf-8"))
    variables: dict[str, Any] = project["vars"]["kafka_cdc"]
    return variables


def rules_of(macro: str) -> dict[str, dict[str, Any]]:
    """Return the rules by which a macro checks the entries of a setting."""
    definition = next(one for one in read_macros() if one.name == macro)
    text = (HOME / definition.path).read_text(encoding="utf-8")
    found = re.search(r"\{%-?\s*set rules = (\{.*?\})\s*-?%\}", text, re.DOTALL)
    if found is None:
        raise ValueError(f"{definition.path} has no `set rules = {{…}}`")
    rules: dict[str, dict[str, Any]] = Macros().evaluate(found[1])
    return rules


def choices_in(macro: str) -> list[str]:
    """Return the values that a macro accepts for a setting without entries."""
    definition = next(one for one in read_macros() if one.name == macro)
    text = (HOME / definition.path).read_text(encoding="utf-8")
    found = re.search(r"get_choice_setting\('\w+', (\[[^]]*\])\)", text)
    if found is None:
        raise ValueError(f"{definition.path} does not call get_choice_setting")
    choices: list[str] = Macros().evaluate(found[1])
    return choices


def choices_of(entry: dict[str, Any]) -> list[str]:
    """Return the values that an entry's setting may have."""
    if entry["choices"] == "formats":
        return ["auto", *callable_macros().get_package_formats()]
    return [str(choice) for choice in entry["choices"]]


def differences() -> list[str]:
    """Return how docs/data/settings.yml differs from the macros and from dbt_project.yml."""
    found = []
    variables = project_variables()
    documented = {s["name"] for s in read_settings() if not s.get("is_per_run")}
    found += [f"{name}: not in docs/data/settings.yml" for name in variables.keys() - documented]
    found += [f"{name}: not in dbt_project.yml" for name in documented - variables.keys()]
    names = callable_macros().get_setting_names()
    if sorted(names) != sorted(s["name"] for s in read_settings()):
        found.append("get_setting_names: its names are not those of docs/data/settings.yml")
    for setting in read_settings():
        name = setting["name"]
        if name in variables and yaml.safe_load(setting["default"]) != variables[name]:
            found.append(f"{name}: the default is {variables[name]!r} in dbt_project.yml")
        if "macro" in setting and "choices" in setting:
            valid = choices_in(setting["macro"])
            if choices_of(setting) != valid:
                found.append(f"{name}: the macro accepts {valid}")
        elif "macro" in setting:
            found += entry_differences(setting, rules_of(setting["macro"]))
    return sorted(found)


def entry_differences(setting: dict[str, Any], rules: dict[str, dict[str, Any]]) -> list[str]:
    """Return how the entries of a setting differ from the rules of its macro."""
    found = []
    entries = {entry["name"]: entry for entry in setting["entries"]}
    for name in sorted(entries.keys() ^ rules.keys()):
        where = "docs/data/settings.yml" if name in rules else setting["macro"]
        found.append(f"{setting['name']}[].{name}: not in {where}")
    for name in entries.keys() & rules.keys():
        entry, rule = entries[name], rules[name]
        is_required = bool(rule.get("required", rule.get("needed", False)))
        if bool(entry.get("required")) != is_required:
            found.append(f"{setting['name']}[].{name}: required is {is_required} in the macro")
        choices = choices_of(entry) if "choices" in entry else None
        valid = rule.get("choices", rule.get("valid"))
        if (choices and sorted(choices)) != (valid and sorted(valid)):
            found.append(f"{setting['name']}[].{name}: the macro accepts {valid}")
    return found


def default_of(entry: dict[str, Any]) -> str:
    """Return the default of a setting, as text."""
    if entry.get("required"):
        return "required"
    if "default" in entry:
        text = str(entry["default"])
        return text if " " in text else code(text)
    return code(choices_of(entry)[0]) if "choices" in entry else "none"


def value_of(entry: dict[str, Any]) -> str:
    """Return the values that a setting may have, as text."""
    if entry.get("choices") == "formats":
        return "`auto` or a [slug](../formats/index.md)"
    if "choices" in entry:
        return ", ".join(code(choice) for choice in choices_of(entry))
    return str(entry["type"])


def settings_page() -> str:
    """Return docs/reference/settings.md."""
    parts = [
        "Settings are variables of dbt. Set them under `vars: kafka_cdc:` in dbt_project.yml, or "
        "for one run with `--vars`. A project that installs this package sets them in its own "
        "dbt_project.yml. Nothing has to be set before the first run.",
        fence(
            "vars:\n  kafka_cdc:\n"
            + "".join(
                re.sub(r"^", "    ", setting["example"].rstrip(), flags=re.MULTILINE) + "\n"
                for setting in read_settings()
                if "example" in setting
            ),
            "yaml",
            "dbt_project.yml",
        ),
        "An unknown name, key or value stops `dbt parse`. The error names the setting and the "
        "valid values. Outside of `vars: kafka_cdc:` and in `--vars`, a variable may be another "
        "package's. An unknown name there is therefore no error. If a name in `--vars` is almost "
        "that of a setting, such as `topicz`, the run logs a warning.",
        table(
            ["Setting", "Type", "Default"],
            [
                [f"[{code(s['name'])}](#{s['name']})", s["type"], default_of(s)]
                for s in read_settings()
            ],
        ),
    ]
    for setting in read_settings():
        name = setting["name"]
        parts += [heading(2, code(name), name), setting["meaning"]]
        if "entries" not in setting:
            kind = "Values" if "choices" in setting else "Type"
            facts = [[kind, value_of(setting)], ["Default", default_of(setting)]]
            parts.append(table(["", ""], facts))
        else:
            for entry in setting["entries"]:
                anchor = f"{name}-{entry['name']}"
                parts += [
                    heading(3, code(f"{name}[].{entry['name']}"), anchor),
                    entry["meaning"],
                    table(["Values", "Default"], [[value_of(entry), default_of(entry)]]),
                ]
    return page("Settings", "docs/data/settings.yml", *parts)


def pages() -> dict[str, str]:
    """Return the generated page, by path."""
    return {"reference/settings.md": settings_page()}
