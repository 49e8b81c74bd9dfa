"""Runs sqlfluff for `make lint`, with two changes that its settings do not offer.

The SQL of the macros nests deeper than Python's recursion limit. Spark's VERSION AS OF accepts the
name of a tag, but sqlfluff knows only numbers.
"""

import sys

from sqlfluff.cli.commands import cli
from sqlfluff.core.parser import OneOf, Ref, Sequence
from sqlfluff.dialects.dialect_sparksql import sparksql_dialect

sys.setrecursionlimit(100_000)
sparksql_dialect.replace(
    VersionAsOfGrammar=Sequence(
        "VERSION", "AS", "OF", OneOf(Ref("NumericLiteralSegment"), Ref("QuotedLiteralSegment"))
    )
)

if __name__ == "__main__":
    cli()
