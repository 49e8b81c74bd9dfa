"""Macros that print JSON. dbt runs them in this process."""

import contextlib
import io
import json
from collections.abc import Mapping
from typing import Any

from kafka_cdc import build
from kafka_cdc.errors import condense


class OperationError(Exception):
    """dbt could not run a macro. The text is what dbt reported, in one line."""


def run_operation(macro: str, arguments: Mapping[str, Any], *options: str) -> Any:
    """Return the JSON that a macro prints on one line, or None if it prints none.

    dbt runs it with the settings of the project that `kafka-cdc run` builds.

    Args:
        macro: The name of the macro, with its package, because another project may install it.
        arguments: The arguments of the macro.
        options: More options of `dbt run-operation`.

    Raises:
        OperationError: dbt failed.
    """
    from dbt.cli.main import dbtRunner

    # The report reads the files of the last build in dbt's target folder.
    command = ["--quiet", "run-operation", "--no-write-json", macro]
    command += ["--args", json.dumps(arguments)]
    command += ["--project-dir", str(build.project_folder()), *options]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        result = dbtRunner().invoke(command)
    build.raise_interrupt(result.exception)
    if not result.success:
        raise OperationError(condense(str(result.exception or printed.getvalue())))
    lines = [line for line in printed.getvalue().splitlines() if line.startswith(("[", '{"'))]
    return json.loads(lines[-1]) if lines else None
