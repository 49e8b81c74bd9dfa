"""`python -m landing`: lands raw Kafka messages in raw.kafka_messages."""

import argparse
import contextlib
import logging
import sys
from collections import Counter, defaultdict
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from .errors import LandingError, reason
from .progress import columns
from .stopping import Stop

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
A file that something still writes may end within a line. --whole-lines leaves such a line to a later landing; without it the line lands as
it is, and the file is refused once the line says more. It reads copies, which take up to 512 MB in TMPDIR, or as much as the largest file.
A file lands in whole or not at all. It does not land when one of its lines is no message, or says something else than was
landed before for the same topic, partition and offset; the line is named, the other files land, and the exit code is 3.
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
KAFKA_HELP = """\
Lands messages of a Kafka cluster in raw.kafka_messages, exactly once, and ends; or goes on with --continuous.

Exactly once: what has landed is known from raw itself, not from a checkpoint. A commit holds explicit ranges of offsets, and
happens only if nobody has landed any of them. So a landing may be killed at any time and started again, and several may run at
once. Only committed messages are read (isolation level read_committed). Headers, keys and null values are kept.
Topics and partitions that appear while it runs are landed from their beginning. A topic that was deleted and made anew is
recognised by Kafka's id of it; its messages land under the next topic_incarnation. Where Kafka has deleted messages before they
were read, a loud line says which offsets; raw.kafka_messages_offsets keeps them, outcome lost.

Security settings are those of Kafka's Java client (security.protocol, sasl.*, ssl.*), in a properties file or in the environment,
KAFKA_CDC_KAFKA_SASL_JAAS_CONFIG for sasl.jaas.config; never on the command line. They are neither logged nor stored.
Where they also say schema.registry.url, the schemas that messages name land beside them, in raw.kafka_messages_schemas.
"""
SCHEMAS_HELP = """\
Looks up the schemas that messages in raw.kafka_messages name, and that raw.kafka_messages_schemas lacks, in a schema registry.

`python -m landing kafka` does so by itself where its properties say schema.registry.url. This is for what landed before
that, while the registry was away, or from files. It reads the payloads of the topics once. Then `dbt build --vars
'{replay: quarantine}'` reads the messages again that waited for their schemas.

Properties, in a file or in the environment (KAFKA_CDC_KAFKA_SCHEMA_REGISTRY_URL), never on the command line:
  schema.registry.url                            one or more, separated by commas
  basic.auth.user.info or bearer.auth.token      name:password, or a token
  schema.registry.ssl.truststore.location        files in PEM: whom to trust, who we are
  schema.registry.ssl.keystore.location, schema.registry.ssl.key.password
"""
KAFKA_EXAMPLES = """\
examples:
  python -m landing kafka --bootstrap-servers broker:9092 --topics orders
  python -m landing kafka --properties client.properties --topics 'drs_*,shop.*' --continuous
  python -m landing kafka --properties eu.properties --topics '*' --prefix eu/ --starting 2026-01-31T00:00Z

client.properties:
  bootstrap.servers=broker:9093
  security.protocol=SASL_SSL
  sasl.mechanism=SCRAM-SHA-512
  sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="landing" password="…";

It ends with 0 when everything has landed, 3 when some partitions were refused and all else has landed, 1 when it had to end
before that (lines on stderr say what was refused, or why it ended), 130 when it was stopped.
"""

REFUSED = 3  # the exit code of a landing that has landed all but what it names


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser; each subcommand sets `run`, a function of the parsed arguments and a Stop to an exit code."""
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
    files.add_argument("--whole-lines", action="store_true", help="leave a last line without newline to a later landing: a tool still writes it (default: it lands)")
    add_target(files)
    files.set_defaults(run=run_files)
    kafka = commands.add_parser(
        "kafka",
        help="land topics from a Kafka broker",
        description=KAFKA_HELP,
        epilog=KAFKA_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_kafka(kafka)
    add_target(kafka)
    kafka.set_defaults(run=run_kafka)
    schemas = commands.add_parser(
        "schemas",
        help="look up in a schema registry the schemas that landed messages name",
        description=SCHEMAS_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    schemas.add_argument("--topics", default="*", metavar="GLOB[,GLOB…]", help="topics, by their names in raw; * and ? match (default: all)")
    schemas.add_argument("--properties", type=Path, metavar="FILE", help="where schema.registry.url stands (default: KAFKA_CDC_KAFKA_PROPERTIES)")
    add_place(schemas)
    schemas.set_defaults(run=run_schemas)
    return main_parser


def add_kafka(command: argparse.ArgumentParser) -> None:
    """Add the options that say what is read from which cluster."""
    command.add_argument("--bootstrap-servers", metavar="HOST:PORT[,…]", help="the cluster; or bootstrap.servers in the properties")
    command.add_argument("--topics", required=True, metavar="GLOB[,GLOB…]", help="topics, by their names in the cluster; * and ? match")
    command.add_argument("--properties", type=Path, metavar="FILE", help="properties of Kafka's Java client (default: KAFKA_CDC_KAFKA_PROPERTIES)")
    command.add_argument("--continuous", action="store_true", help="go on until it is stopped (default: land what is there, then end)")
    command.add_argument("--interval", type=float, default=10, metavar="SECONDS", help="how often --continuous looks for new messages (default: 10)")
    command.add_argument("--starting", type=starting, default="earliest", metavar="WHERE",
                         help="earliest, latest, or a time such as 2026-01-31T00:00Z: where topics begin that no landing has met (default: earliest)")  # fmt: skip
    command.add_argument("--on-loss", choices=["continue", "stop"], default="continue", help="where Kafka has deleted unread messages (default: continue)")
    command.add_argument("--base64", metavar="GLOB[,GLOB…]", help="topics, as raw names them, whose payloads are binary; or topics[].encoding in the settings")
    command.add_argument("--megabytes-per-commit", type=int, default=256, metavar="N", help="about how much payload a commit has (default: 256)")


def starting(text: str) -> str | int:
    """Return `earliest` or `latest`, or a time (UTC where it says no zone) as milliseconds since 1970."""
    if text in ("earliest", "latest"):
        return text
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither earliest nor latest nor a time such as 2026-01-31T00:00Z") from None
    return int((time if time.tzinfo else time.replace(tzinfo=timezone.utc)).timestamp() * 1000)


def add_target(command: argparse.ArgumentParser) -> None:
    """Add the options that say where messages land."""
    command.add_argument("--prefix", default="", help="put before every topic's name, such as eu/ for a second cluster")
    add_place(command)


def add_place(command: argparse.ArgumentParser) -> None:
    """Add the options that say where raw is."""
    command.add_argument("--schema", default="raw", help="schema of the table (default: raw)")
    command.add_argument("--table", default="kafka_messages", help="name of the table (default: kafka_messages)")


def run_files(options: argparse.Namespace, stop: Stop) -> int:
    """Land options.paths, print what landed, and on stderr which files did not; return the exit code."""
    from . import files, session, table  # here, because --help and a wrong path need no Spark
    from .progress import Progress

    found = files.find(options.paths, options.prefix)
    groups = list(files.divide(found))
    report = Report()

    def land() -> None:
        def step(phase: str) -> None:
            stop.point()
            progress.step(phase)

        spark = session.start()
        stop.point()
        name = table.create(spark, options.schema, options.table)
        with Progress(spark, sum(file.size for group in groups for file in group)) as progress:
            for group in groups:
                progress.begin(sum(file.size for file in group))
                batch, landed = files.land(spark, name, group, options.prefix, options.whole_lines, step)
                report.add(batch, landed, [part for file in group if not file.error for part in file.ranges])

    try:
        if groups:
            stop.run(land)
    finally:
        if report.given or report.groups and not any(file.error for file in found):
            print(report.text())
        for file in found:
            if file.error:
                print(f"not landed: {file.error}", file=sys.stderr)
    return REFUSED if any(file.error for file in found) else 0


def run_kafka(options: argparse.Namespace, stop: Stop) -> int:
    """Land options.topics, print what landed, and on stderr what did not; return the exit code."""
    from . import properties, session, table, topics
    from .cluster import Cluster
    from .kafka import Landing, Options
    from .positions import Positions
    from .registry import Registry
    from .schemas import Schemas
    from .table_format import Table
    from .totals import KafkaProgress

    settings = Options(
        topics.split(options.topics),
        topics.binary(options.base64),
        options.prefix,
        options.starting,
        options.on_loss == "stop",
        options.continuous,
        options.interval,
        options.megabytes_per_commit * 1_000_000,
    )
    text = properties.read(options.properties)
    spark = stop.run(session.start)
    cluster = stop.run(lambda: Cluster(spark, properties.load(spark._jvm, text, options.bootstrap_servers)))
    its_registry = properties.registry(spark._jvm, text)
    landing = None

    def prepare() -> Landing:
        raw = Table(spark, table.create(spark, options.schema, options.table))
        positions = Positions(spark, options.schema, options.table)
        schemas = Schemas(spark, options.schema, options.table, Registry(its_registry), progress) if its_registry else None
        return Landing(spark, cluster, raw, positions, schemas, settings, progress, stop)

    try:
        with KafkaProgress() as progress:
            landing = stop.run(prepare)
            stop.run(landing.run)
    except Exception as error:
        raise LandingError(properties.hide(reason(error), cluster.properties)) from error
    finally:
        if landing and landing.topics:
            print(landing.summary())
            for line in landing.totals.errors:
                print(f"not landed: {line}", file=sys.stderr)
        with contextlib.suppress(Exception):  # Java may be gone
            cluster.close()
    return REFUSED if landing.totals.errors else 0


def run_schemas(options: argparse.Namespace, stop: Stop) -> int:
    """Look up what options.topics name, print what is new, and on stderr what is not to be had; return the exit code."""
    from . import properties, session, table, topics
    from .registry import URL, Registry
    from .schemas import Schemas, called
    from .totals import KafkaProgress

    text, matches = properties.read(options.properties), topics.pattern(topics.split(options.topics))
    spark = stop.run(session.start)
    said = properties.registry(spark._jvm, text)
    if not said:
        raise LandingError(f"no schema registry is named: {URL} in the properties")
    raw = table.create(spark, options.schema, options.table)

    def learn() -> bool:
        with KafkaProgress() as progress:
            progress.phase = "looking"
            schemas = Schemas(spark, options.schema, options.table, Registry(said), progress)
            wanted = schemas.named_in(raw, matches.pattern)
            learned, missing = schemas.learn(wanted), wanted - schemas.rows.keys()
        rows = [(called(name), str(name[2]), schemas.rows[name]["schema_type"], schemas.rows[name]["problem"] or "") for name in sorted(learned)]
        print(columns([("topic", "schema", "type", "problem"), *rows]) if rows else "nothing new")
        for name in sorted(missing):
            print(f"not found: schema {name[2]} of topic {called(name)}", file=sys.stderr)
        return not missing

    return 0 if stop.run(learn) else 1


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
        batches = f"landing_batch: {', '.join(map(str, self.batches))}" if self.batches else "nothing new"
        return "\n".join([*([columns(rows)] if self.given else []), batches])


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit code. An error is one line on stderr."""
    options = parser().parse_args(arguments)
    if not logging.getLogger().handlers:
        logging.getLogger().addHandler(logging.NullHandler())  # else py4j prints stack traces
    try:
        with Stop() as stop:
            code: int = options.run(options, stop)
        return code
    except KeyboardInterrupt:
        print("stopped; the same command lands what is missing", file=sys.stderr)
        return 130
    except Exception as error:
        print(f"error: {reason(error)}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
