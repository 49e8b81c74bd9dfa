"""What `make lint` runs: sqlfluff, with two things that this SQL needs and its settings do not offer.

What macros print nests deeper than Python's recursion limit, and Spark's VERSION AS OF takes the name of a tag too, where sqlfluff
knows numbers alone.
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
