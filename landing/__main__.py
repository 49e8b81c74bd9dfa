"""`python -m landing`: lands raw Kafka messages in raw.kafka_messages."""

import argparse
import logging
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import reason

if TYPE_CHECKING:
    from .table import Range

FILES_HELP = """\
Lands messages that lie in files in raw.kafka_messages, exactly once.

Two kinds of files, UTF-8 text with one message a line:
  <topic>.jsonl   A line is a message's value, exactly as it is (JSON or not). The file's name is the topic, the line's number,
                  counted from 0, is the offset, the partition is 0. An empty line is a null value: a tombstone.
  *.kcat.jsonl    What `kcat -C -J` prints: topic, partition, offset, time, headers and key of each message stand in its line.
Of a folder, the files with these names are landed, not those in folders below it. Other names are ignored.

Exactly once: topic, partition and offset say which message a line is. What is landed already is not landed again, so that
a repeated or killed landing is simply started again, also while another one runs; of a file that has grown, the new lines land.
A file lands in whole or not at all. It does not land when one of its lines is no message, or says something else than was
landed before for the same topic, partition and offset; the line is named, the other files land, and the exit code is 1.
"""
FILES_EXAMPLES = """\
examples:
  python -m landing files dumps/                              every file in dumps/
  python -m landing files orders.jsonl --prefix eu/           as the topic eu/orders
  kcat -C -J -e -b broker:9092 -t orders > orders.kcat.jsonl  a dump of a topic, for
  python -m landing files orders.kcat.jsonl

The lake is the folder KAFKA_CDC_LAKE (lake/ in the project when unset), or what the target KAFKA_CDC_TARGET in
profiles/profiles.yml says. KAFKA_CDC_MEMORY (1g when unset) is the memory of Spark's JVM.
"""


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser; each subcommand sets `run`, a function of the parsed arguments to an exit code."""
    main_parser = argparse.ArgumentParser(prog="python -m landing", description=__doc__)
    commands = main_parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    files = commands.add_parser(
        "files",
        help="land <topic>.jsonl files and kcat -J dumps",
        description=FILES_HELP,
        epilog=FILES_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    files.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a folder or a file")
    add_target(files)
    files.set_defaults(run=run_files)
    return main_parser


def add_target(command: argparse.ArgumentParser) -> None:
    """Add the options that say where messages land."""
    command.add_argument("--prefix", default="", help="put before every topic's name, such as eu/ for a second cluster")
    command.add_argument("--schema", default="raw", help="schema of the table (default: raw)")
    command.add_argument("--table", default="kafka_messages", help="name of the table (default: kafka_messages)")


def run_files(options: argparse.Namespace) -> int:
    """Land options.paths, print what landed, and on stderr which files did not; return the exit code."""
    from . import files, session, table  # here, because --help and a wrong path need no Spark
    from .progress import Progress

    found = files.find(options.paths, options.prefix)
    groups = list(files.divide(found))
    report = Report()
    try:
        if groups:
            spark = session.start()
            name = table.create(spark, options.schema, options.table)
            with Progress(spark, sum(file.size for group in groups for file in group)) as progress:
                for group in groups:
                    progress.begin(sum(file.size for file in group))
                    batch, landed = files.land(spark, name, group, options.prefix, progress.step)
                    report.add(batch, landed, [part for file in group if not file.error for part in file.ranges])
    finally:
        if report.given or report.groups and not any(file.error for file in found):
            print(report.text())
        for file in found:
            if file.error:
                print(f"not landed: {file.error}", file=sys.stderr)
    return 1 if any(file.error for file in found) else 0


class Report:
    """What became of the messages, by topic and partition."""

    def __init__(self) -> None:
        self.groups = 0
        self.batches: list[int] = []
        self.given: Counter[tuple[str, int]] = Counter()
        self.landed: Counter[tuple[str, int]] = Counter()
        self.offsets: dict[tuple[str, int], list[int]] = defaultdict(list)

    def add(self, batch: int, landed: "list[Range]", given: "list[Range]") -> None:
        """Add a group of files: its landing_batch, what that landed, and what the files hold."""
        self.groups += 1
        self.batches += [batch] if landed else []
        for part in given:
            self.given[part.topic, part.partition] += part.count
        for part in landed:
            self.landed[part.topic, part.partition] += part.count
            self.offsets[part.topic, part.partition] += [part.first, part.last]

    def text(self) -> str:
        """Return a table, a line for each topic and partition, and the landing batches."""
        rows = [("topic", "partition", "landed", "already there", "offsets landed")]
        for key, given in sorted(self.given.items()):
            offsets = f"{min(self.offsets[key])}-{max(self.offsets[key])}" if self.offsets[key] else "-"
            rows.append((key[0], str(key[1]), str(self.landed[key]), str(given - self.landed[key]), offsets))
        topic, *widths = (max(map(len, column)) for column in zip(*rows))
        lines = [row[0].ljust(topic) + "".join(f"  {cell:>{width}}" for cell, width in zip(row[1:], widths)) for row in rows]
        batches = f"landing_batch: {', '.join(map(str, self.batches))}" if self.batches else "nothing new"
        return "\n".join([*(lines if self.given else []), batches])


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit code. An error is one line on stderr."""
    options = parser().parse_args(arguments)
    if not logging.getLogger().handlers:
        logging.getLogger().addHandler(logging.NullHandler())  # else py4j prints stack traces
    try:
        code: int = options.run(options)
        return code
    except KeyboardInterrupt:
        print("stopped; the same command lands what is missing", file=sys.stderr)
        return 130
    except Exception as error:
        print(f"error: {reason(error)}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
