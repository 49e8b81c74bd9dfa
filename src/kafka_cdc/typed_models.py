"""`kafka-cdc typed-models`: models of typed tables, and their yml, for the tables of a stream."""

import difflib
import hashlib
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kafka_cdc import build, exit_codes
from kafka_cdc.errors import LandingError
from kafka_cdc.kafka.topics import compile_globs
from kafka_cdc.operation import OperationError, run_operation

DEFAULT_FOLDER = "models/typed"
HEADER = "# Written by kafka-cdc typed-models, which replaces this file.\n"
CHANGE_COLUMNS = {
    "operation": "string",
    "occurred_at": "timestamp",
    "source_sequence": "array<bigint>",
    "kafka_topic": "string",
    "topic_incarnation": "int",
    "kafka_partition": "int",
    "kafka_offset": "bigint",
    "row_index": "int",
}
PLAIN_NAME = re.compile(r"[a-z_][a-z0-9_]*")
CALL = re.compile(
    r"kafka_cdc\.(?P<macro>(?:current|history)_table)\("
    r"(?:\s*(?P<mark>['\"])(?P<path>(?:\\.|(?!(?P=mark)).)*)(?P=mark))?"
)
"""The call of a model: the macro, and its first argument if that is a string."""
SOURCE = re.compile(r"""\bsource\s*=\s*(?P<mark>['"])(?P<name>(?:\\.|(?!(?P=mark)).)*)(?P=mark)""")
"""The argument `source` in the call of a model."""


@dataclass(frozen=True)
class Request:
    """The arguments of the command.

    Attributes:
        tables: Globs of database[.schema].table.
        exclude: Globs of tables to leave out.
        source: Only this stream, or None.
        history: Whether to write tables of versions too.
        into: The folder of the models.
        check: Whether to write nothing.
        contracts: Whether the yml has a contract, which dbt enforces before it writes a table.
    """

    tables: Sequence[str]
    exclude: Sequence[str]
    source: str | None
    history: bool
    into: Path
    check: bool
    contracts: bool = False


def get_default_folder() -> Path:
    """Return models/typed of the project. A folder below the working directory is shown from there.

    The other paths of a command line are relative to the working directory.
    """
    folder = build.project_folder().resolve() / DEFAULT_FOLDER
    current = Path.cwd()
    return folder.relative_to(current) if folder.is_relative_to(current) else folder


def is_read_by_dbt(folder: Path) -> bool:
    """Return whether a folder is in one of the project's folders of models."""
    project = build.project_folder().resolve()
    names = build.get_paths(build.read_project(), "model-paths")
    return any(folder.resolve().is_relative_to((project / name).resolve()) for name in names)


def run(request: Request) -> int:
    """Write the models, or with `check` only compare them, and print the difference.

    Returns:
        The exit code: failure if dbt fails, if no table matches, or with `check` if a file would
        change.
    """
    found = read_tables(request)
    if found is None:
        return exit_codes.FAILURE
    for table in found:
        if table["is_keyless"]:
            print(
                f"{table['path']} of source {table['source']} gets no model, because its changes "
                f"have no key. Add to tables: - {{table: {table['path']}, "
                f"source: {table['source']}, key: [its key columns]}}, and replay its topic"
            )
    found = [table for table in found if not table["is_keyless"]]
    if not found:
        print(
            f"no published table matches {', '.join(request.tables)}. "
            "Hint: run dbt build, and look at `dbt show --select changelog`",
            file=sys.stderr,
        )
        return exit_codes.FAILURE

    try:
        files = get_files(found, request)
    except NameTakenError as error:
        print(f"error: {error}", file=sys.stderr)
        return exit_codes.FAILURE
    changed = [path for path, text in files.items() if read_text(path) != text]
    for path in changed:
        show_difference(path, files[path])
        if not request.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path], encoding="utf-8")
    orphans = get_orphans(files, request)
    for path in orphans:
        print(
            f"{path}: no published table of these arguments has this model; "
            f"if the source dropped its table, delete {path.with_suffix('')}.sql and .yml"
        )
    if not is_read_by_dbt(request.into):
        print(
            f"note: {request.into} is in no folder of models of {build.project_folder()}, so dbt"
            " does not build it. Hint: name a folder in models by --into",
            file=sys.stderr,
        )
    done = "would change" if request.check else "written"
    print(
        f"{count(found, 'table')}, {count(changed, 'file')} {done}, "
        f"{count(orphans, 'model')} without a table"
    )
    return exit_codes.FAILURE if request.check and (changed or orphans) else exit_codes.SUCCESS


def count(things: Sequence[object], name: str) -> str:
    """Return how many things there are: 1 file, 2 files."""
    return f"{len(things)} {name}{'' if len(things) == 1 else 's'}"


def read_tables(request: Request) -> list[dict[str, Any]] | None:
    """Return the published tables that match, or None if dbt failed.

    The macro print_typed_models describes them.
    """
    arguments = {
        "tables": list(request.tables),
        "exclude": list(request.exclude),
        "source": request.source,
    }
    try:
        tables: list[dict[str, Any]] = (
            run_operation("kafka_cdc.print_typed_models", arguments) or []
        )
    except OperationError as error:
        print(f"error: {error}", file=sys.stderr)
        return None
    return tables


def get_files(tables: Sequence[dict[str, Any]], request: Request) -> dict[Path, str]:
    """Return the files of the models: path to content.

    An existing model keeps its text. It also keeps its name if equal names come later or go.

    Raises:
        NameTakenError: A model of another table has the name.
    """
    macros = ["current_table", "history_table"] if request.history else ["current_table"]
    wanted = [(macro, table) for table in tables for macro in macros]
    names = [to_name(macro, table) for macro, table in wanted]
    files = {}
    for (macro, table), name in zip(wanted, names, strict=True):
        identity = "\n".join([macro, table["path"], table["source"], table["tenant"]])
        hashed = f"{name}_{hashlib.sha256(identity.encode()).hexdigest()[:8]}"
        streams = [(other["path"], other["source"]) for other in tables]
        has_tenant = streams.count((table["path"], table["source"])) > 1
        first = read_text(request.into / f"{name}.sql")
        is_first = SOURCE.search(first) and is_model_of(first, macro, table) and not has_tenant
        if (names.count(name) > 1 and not is_first) or read_text(request.into / f"{hashed}.sql"):
            name = hashed
        path = request.into / f"{name}.sql"
        text = read_text(path)
        if text and not is_model_of(text, macro, table):
            raise NameTakenError(path, table)
        files[path] = text or get_model(macro, table, has_tenant=has_tenant)
        files[path.with_suffix(".yml")] = HEADER + yaml.safe_dump(
            {"models": [get_properties(macro, name, table, contract=request.contracts)]},
            sort_keys=False,
            allow_unicode=True,
            width=100,
        )
    return files


class NameTakenError(Exception):
    """A model that exists has the name, and is not of this table."""

    def __init__(self, path: Path, table: dict[str, Any]):
        super().__init__(
            f"{path} is not a model of {table['path']} of the source {table['source']}."
            " Hint: if topics renamed the source, name it in the model; else rename the file,"
            " or choose a folder by --into"
        )


def is_model_of(text: str, macro: str, table: dict[str, Any]) -> bool:
    """Return whether a model that exists calls the macro for the table. It may name no source."""
    source = SOURCE.search(text)
    return (
        any(quote(table["path"], mark) in text for mark in ("'", '"'))
        and f"{macro}(" in text
        and (source is None or source["name"] == quote(table["source"], source["mark"])[1:-1])
    )


def to_name(macro: str, table: dict[str, Any]) -> str:
    """Return the name of a model, which several tables may share."""
    name = re.sub(r"\W+", "_", table["path"].lower()).strip("_") or "typed_table"
    return f"{name}_history" if macro == "history_table" else name


def get_model(macro: str, table: dict[str, Any], *, has_tenant: bool) -> str:
    """Return the text of a model: one call of a macro."""
    arguments = [quote(table["path"]), f"source={quote(table['source'])}"]
    if table["tenant"] or has_tenant:
        arguments.append(f"tenant={quote(table['tenant'])}")
    return f"{{{{ kafka_cdc.{macro}({', '.join(arguments)}) }}}}\n"


def quote(text: str, mark: str = "'") -> str:
    """Return a text as a string of Jinja, between two quotation marks."""
    escaped = text.replace("\\", "\\\\").replace(mark, f"\\{mark}").replace("\n", "\\n")
    return f"{mark}{escaped}{mark}"


def get_properties(
    macro: str, name: str, table: dict[str, Any], *, contract: bool
) -> dict[str, Any]:
    """Return the yml of a model: its description, its contract, its tests and its columns."""
    is_history = macro == "history_table"
    grain = "version of a row" if is_history else "live row"
    key = ", ".join(table["key"]) or "no key"
    columns: list[dict[str, Any]] = [
        {
            "name": escape_jinja(column["name"]),
            "data_type": column["type"],
            "description": escape_jinja(column["description"]),
        }
        for column in table["history_columns" if is_history else "columns"]
    ]
    columns.append(
        {
            "name": "undecoded",
            "data_type": "map<string, struct<text: string, reason: string>>",
            "description": "Source column to the text that does not fit its type, and the reason.",
        }
    )
    row_key: dict[str, Any] = {
        "name": "row_key",
        "data_type": "string",
        "description": "The key as canonical JSON.",
        "data_tests": ["not_null"] if is_history else ["not_null", "unique"],
    }
    columns.append(row_key)
    if is_history:
        columns += [
            {
                "name": "valid_from",
                "data_type": "timestamp",
                "description": "Begin of the version.",
            },
            {"name": "valid_to", "data_type": "timestamp", "description": "End; null if current."},
            {"name": "is_current", "data_type": "boolean", "description": "Whether it has no end."},
        ] + [
            {
                "name": name,
                "data_type": data_type,
                "description": "Of the change that created the version.",
            }
            for name, data_type in CHANGE_COLUMNS.items()
        ]
    if contract:
        for column in columns:
            if not PLAIN_NAME.fullmatch(column["name"]):
                column["quote"] = True
    return {
        "name": name,
        **({"config": {"contract": {"enforced": True}}} if contract else {}),
        "description": escape_jinja(
            f"One row per {grain} of {table['path']} ({key}), source {table['source']}."
        ),
        "data_tests": ["kafka_cdc.values_are_decoded"],
        "columns": columns,
    }


def escape_jinja(text: str) -> str:
    """Return a text as dbt's yml has it, where braces begin Jinja."""
    return re.sub(r"\{[{%#]", lambda braces: f"{{{{ '{braces[0]}' }}}}", text)


def read_text(path: Path) -> str:
    """Return the text of a file, empty if there is none.

    Raises:
        LandingError: It is not UTF-8 text.
    """
    try:
        return path.read_text(encoding="utf-8") if path.exists() else ""
    except UnicodeDecodeError:
        raise LandingError(f"{path} is not UTF-8 text. Hint: save it as UTF-8") from None


def show_difference(path: Path, text: str) -> None:
    """Print the lines in which a file changes, or its name if it is new."""
    before = read_text(path)
    if not before:
        print(f"new: {path}")
        return
    lines = difflib.unified_diff(
        before.splitlines(), text.splitlines(), str(path), str(path), n=0, lineterm=""
    )
    print("\n".join(lines))


def get_orphans(files: dict[Path, str], request: Request) -> list[Path]:
    """Return the yml files of the request's tables that no table has now.

    The command wrote them earlier, for tables that the globs and the source still select.
    """
    written = [path for path in request.into.glob("*.yml") if read_text(path).startswith(HEADER)]
    return sorted(
        path
        for path in written
        if path not in files and is_requested(read_text(path.with_suffix(".sql")), request)
    )


def is_requested(text: str, request: Request) -> bool:
    """Return whether the request selects the table of a model that exists.

    A model may have arguments that this command does not write. Only a request for all tables
    selects it.
    """
    call, source = CALL.search(text), SOURCE.search(text)
    if call is None or (call["macro"] == "history_table" and not request.history):
        return False
    if call["path"] is None:
        return list(request.tables) == ["*"] and not request.exclude and not request.source
    if request.source and (
        source is None or source["name"] != quote(request.source, source["mark"])[1:-1]
    ):
        return False
    # The globs are compared with the text of the model, where quotation marks are escaped.
    wanted, excluded = (
        compile_globs(quote(glob, call["mark"])[1:-1] for glob in globs)
        for globs in (request.tables, request.exclude)
    )
    return bool(wanted.fullmatch(call["path"])) and not excluded.fullmatch(call["path"])
