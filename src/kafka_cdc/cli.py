"""The command line `kafka-cdc`."""

import argparse
import contextlib
import io
import logging
import os
import re
import select
import signal
import sys
import textwrap
import threading
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import TypeAlias

from kafka_cdc import environment, exit_codes
from kafka_cdc.errors import LandingError, reason
from kafka_cdc.shutdown import Shutdown

MAIN_HELP = """\
Turns raw CDC messages of Kafka into exact tables.

Examples:
  kafka-cdc demo                                 land sample messages, build, show the tables
  kafka-cdc land files dumps/                    land your own messages from files
  kafka-cdc land kafka --bootstrap-servers broker:9092 --topics 'shop.*'
  dbt build                                      parse, test and publish what has landed
  kafka-cdc inspect dumps/                       show what messages contain before they land
  kafka-cdc run --files dumps/ --continuous      land and build in a loop
  kafka-cdc session start                        keep Spark warm for dbt
  kafka-cdc report                               write an HTML page about the pipeline

The flow of a message:
  kafka-cdc land    adds messages to raw.kafka_messages, exactly once
  dbt build         parses them into cdc.events, and builds cdc.current_state and cdc.row_history
"""
LAND_HELP = """\
Lands raw messages in raw.kafka_messages, exactly once.

Examples:
  kafka-cdc land files dumps/
  kafka-cdc land kafka --bootstrap-servers broker:9092 --topics orders
  kafka-cdc land schemas --properties client.properties
"""
FILES_HELP = """\
Lands messages from files in raw.kafka_messages, exactly once.

Examples:
  kafka-cdc land files dumps/                                 every file in dumps/
  kafka-cdc land files orders.jsonl --topic-prefix eu/        as the topic eu/orders
  kcat -C -J -e -b broker:9092 -t orders > orders.kcat.jsonl  dump a topic
  kafka-cdc land files orders.kcat.jsonl                      and land the dump

Files are UTF-8 text with one message per line:
  <topic>.jsonl   A line is a message's value, exactly as it is (JSON or not). The file's name is
                  the topic. The line's number, starting at 0, is the offset. The partition is 0.
                  An empty line is a tombstone.
  *.kcat.jsonl    A line is the output of `kcat -C -J`. It contains topic, partition, offset,
                  time, headers and key.
In a folder, the files with these names land. Other files and subfolders are ignored, but a
subfolder with such a name is reported. A file with another name that the command names is rejected.

Exactly once:
  Topic, partition and offset identify a message. A message that has landed does not land again. It
  is therefore safe to repeat a landing, to kill it, or to run several at once. If a file has grown,
  its new lines land.

Files that are still being written:
  Such a file may end within a line. --skip-partial-line leaves that line to a later landing.
  Without the option, the line lands as it is, and the file is rejected when the line has grown. The
  option reads copies. They take up to 512 MB in TMPDIR, or as much as the largest file.

Rejected files:
  A file lands completely or not at all. It is rejected if a line is not a message, or if other
  content has landed for the same topic, partition and offset. The line is named on stderr, the
  other files land, and the exit code is 3.
"""
FILES_EPILOG = """\
environment:
  KAFKA_CDC_LAKE    folder of the lake (default: lake in the project)
  KAFKA_CDC_TARGET  target in profiles/profiles.yml
  KAFKA_CDC_MEMORY  heap of Spark's JVM (default: 1g)
"""
KAFKA_HELP = """\
Lands topics of a Kafka cluster in raw.kafka_messages, exactly once.

Examples:
  kafka-cdc land kafka --bootstrap-servers broker:9092 --topics orders
  kafka-cdc land kafka --properties client.properties --topics 'drs_*,shop.*' --continuous
  kafka-cdc land kafka --properties eu.properties --topics '*' --topic-prefix eu/
  kafka-cdc land kafka --properties client.properties --topics orders --starting-offsets latest

  client.properties:
    bootstrap.servers=broker:9093
    security.protocol=SASL_SSL
    sasl.mechanism=SCRAM-SHA-512
    sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \\
      username="landing" password="…";

The command lands all available messages and ends. With --continuous, it continues until it is
stopped.

Exactly once:
  Raw itself contains what has landed. There is no checkpoint. A commit adds explicit ranges of
  offsets, and happens only if nobody has landed any of them. It is safe to kill a landing, to
  repeat it, or to run several at once. Only committed messages are read (isolation level
  read_committed). Headers, keys and null values are kept.

New and recreated topics:
  Topics and partitions that appear during a landing land from their first offset. Landing
  recognizes a recreated topic by Kafka's topic id. Its messages land under the next
  topic_incarnation.

Lost messages:
  If Kafka has deleted messages before they were read, the log names their offsets.
  raw.kafka_messages_offsets keeps them with the outcome lost.

Security:
  Properties of Kafka's Java client (security.protocol, sasl.*, ssl.*) come from a properties file
  or the environment: KAFKA_CDC_KAFKA_SASL_JAAS_CONFIG sets sasl.jaas.config. They never come from
  the command line, and are not logged or stored. If they contain schema.registry.url, landing also
  writes the schemas of framed messages to raw.kafka_messages_schemas.
"""
SCHEMAS_HELP = """\
Looks up schemas of framed messages in a schema registry.

Examples:
  kafka-cdc land schemas --properties client.properties
  kafka-cdc land schemas --properties client.properties --topics 'shop.*'
  dbt build --vars '{replay: quarantine}'        then parse the messages that waited

`kafka-cdc land kafka` looks up schemas itself if its properties contain schema.registry.url. This
command is for messages that landed before, from files, or while the registry was unreachable. It
reads the payloads of the topics once and adds missing schemas to raw.kafka_messages_schemas.

Properties, in a file or in the environment (KAFKA_CDC_KAFKA_SCHEMA_REGISTRY_URL), never on the
command line:
  schema.registry.url                            one or more addresses, separated by commas
  basic.auth.user.info or bearer.auth.token      name:password, or a token
  schema.registry.ssl.truststore.location        PEM file with trusted certificates
  schema.registry.ssl.keystore.location          PEM file with the client's certificate and key
  schema.registry.ssl.key.password               password of the key
"""
INSPECT_HELP = """\
Shows what topics contain before they land, and proposes settings. Nothing is landed or stored.

Examples:
  kafka-cdc inspect dumps/
  kafka-cdc inspect orders.kcat.jsonl --json
  kafka-cdc inspect --bootstrap-servers broker:9092 --topics 'shop.*'
  kafka-cdc inspect --properties client.properties --topics orders --messages 5000 --from beginning
  kafka-cdc inspect dumps/ --vars '{topics: [{topic: orders, format: canal}]}'

The command reads up to 1,000 messages of each topic by the SQL of the staging views, in a temporary
lake. It takes 30 seconds to a minute. The lake of the project is neither read nor changed.

For each topic it prints:
  messages   how many the topic has and how many were read, and their size. For Kafka, the number
             is that of the offsets, so aborted or compacted messages count.
  formats    the message formats, and the share of the messages that each one reads
  outcomes   how many messages are changes, DDL, control, tombstones or rejected
  table      each source table: operations, key columns and where they come from, what orders the
             changes, columns and the types that the messages name
  rejected   reject code, reason, and the coordinates of the first such message
  settings   lines for dbt_project.yml that would improve the result
  note       what the settings cannot solve

At the end it prints all settings together, ready to paste, and what a sample cannot show. --vars
tries settings without changing dbt_project.yml.

Files are those of `kafka-cdc land files`:
  <topic>.jsonl   a message's value per line, without Kafka keys
  *.kcat.jsonl    the output of `kcat -C -J`, with Kafka keys
"""
INSPECT_EPILOG = """\
exit codes:
  0    Every file and topic was inspected.
  1    Nothing was inspected. The reason is on stderr.
  2    The command line is invalid.
  3    A file is no dump, or no topic matches a name. stderr lists them. The others are shown.
  130  SIGTERM or Ctrl-C stopped the command.
"""
RUN_HELP = """\
Lands, builds, tests and publishes, once or in a loop, in one process with one Spark session.

Examples:
  kafka-cdc run --bootstrap-servers broker:9092 --topics 'shop.*' --continuous
  kafka-cdc run --properties client.properties --topics '*' --interval 1m
  kafka-cdc run --files dumps/                   one cycle: land the files, then build
  kafka-cdc run --continuous                     build in a loop what another tool lands

A cycle lands the available messages, as `kafka-cdc land` does, and then runs `dbt build`. The build
is skipped if it would find nothing new: neither the raw table nor the project has changed since the
last successful build. Each cycle is a line of the log on stderr with its durations and counts.
In a loop, a cycle lands a limited number of messages of topics (--max-cycle-messages). If more
wait, the next cycle begins without a pause.
In a loop, most cycles leave out the monitoring models and their tests (--monitoring-interval).

Failures in a loop:
  landing           The cycle still builds what has landed. The next cycle tries again. If the
                    first landing fails, the command ends.
  a model, a test   The next cycle builds again. Until then, readers see what was published before.
  settings          The command ends if dbt cannot start a model, because dbt_project.yml, the
                    profile or --vars is invalid.
  Spark             The command ends if Spark's JVM has ended.
  After a failure the pause doubles, up to 5 minutes.

SIGTERM and Ctrl-C:
  The command ends after its current commit or build, with exit code 130. A second signal ends it
  immediately. Both are safe: the same command continues.
"""
SESSION_HELP = """\
Keeps a Spark session for a local lake, so that dbt takes seconds instead of starting Spark.

Examples:
  kafka-cdc session start                        start it, and print how to use it
  eval "$(kafka-cdc session start)"              start it, and use it in this shell
  dbt show --select current_state
  kafka-cdc session status                       exit code 1 if none runs
  kafka-cdc session stop

The session is a Spark Connect server of this machine. Only who has its token can use it. There is
one session for each lake.
"""
SESSION_START_HELP = """\
Starts the session, and prints the environment variables with which dbt uses it.

Examples:
  kafka-cdc session start --port 15003           for a second lake, named by KAFKA_CDC_LAKE
  eval "$(kafka-cdc session start)"              dbt in this shell uses the session

If the session runs already, the command only prints the variables. Landing in such a shell works as
before: it has a Spark session of its own.
"""
SESSION_STOP_HELP = """\
Ends the session. Statements that run in it fail. Prints how to unset the variables of the shell.

Examples:
  kafka-cdc session stop
  eval "$(kafka-cdc session stop)"   also unset the variables in this shell
"""
SESSION_STATUS_HELP = """\
Prints whether a session runs for this lake, and its address. The exit code is 1 if none runs.

Examples:
  kafka-cdc session status
"""
DEMO_HELP = """\
Lands sample messages of every format, runs dbt build, and shows the resulting tables.

Examples:
  kafka-cdc demo
  KAFKA_CDC_LAKE=/tmp/demo kafka-cdc demo        in a lake of its own
"""
TYPED_MODELS_HELP = """\
Writes a dbt model and its yml for each table of the stream: one column per source column, typed.

Examples:
  kafka-cdc typed-models --tables 'inventory.*'
  kafka-cdc typed-models --tables 'inventory.*' --history     versions of the rows too
  kafka-cdc typed-models --tables '*' --check                 write nothing; exit code 1 if
                                                              a file would change
  dbt build --select path:models/typed                        then build the tables

Run it again after the source has changed its tables. It prints what changes in the yml. It never
changes a model (.sql) that exists, because you may have added settings to it.

The project is the folder DBT_PROJECT_DIR, else that of kafka_cdc. A relative --into is relative to
the working directory, like every path of the command line.
"""
REPORT_HELP = """\
Writes one HTML file about the state of the pipeline, and prints its path.

Examples:
  kafka-cdc report
  kafka-cdc report --output /var/www/kafka_cdc.html
  kafka-cdc report --payloads                    with excerpts of rejected payloads

The file works without a server and without a network. It answers:
  publication     Is everything published? What is held, and what helps?
  freshness       How fresh is each topic?
  messages        What arrived, what was rejected, and what changed in the sources?
  completeness    Is the stream complete?
  tables          What is known of each table?
  cost            What did the last dbt run cost?

Names of topics, tables and columns, positions and reject details are in the file. Payloads and the
text of statements are not, unless --payloads adds them.
"""
METRICS_HELP = """\
Prints metrics of the pipeline in the text format of Prometheus.

Examples:
  kafka-cdc metrics
  kafka-cdc metrics --output /var/lib/node_exporter/kafka_cdc.prom

The file is for the textfile collector of node_exporter. It is replaced in one step. The folder
examples/monitoring has alert rules and a dashboard for Grafana.
"""
LINEAGE_HELP = """\
Sends OpenLineage events of the last dbt run: models, their columns, and the state of the run.

Examples:
  kafka-cdc lineage
  OPENLINEAGE_URL=http://marquez:5000 kafka-cdc lineage

Run it after each dbt run, in the same folder. `kafka-cdc run` and the Airflow DAG send the same
events after each build. Landing sends its own events if OPENLINEAGE_URL is set. All of them need
the extra kafka_cdc[lineage]. Events contain names, types and states, no values.
"""
EXIT_CODES_HELP = "exit codes:\n" + "".join(
    textwrap.fill(meaning, 94, initial_indent=f"  {code:<5}", subsequent_indent=" " * 7) + "\n"
    for code, meaning in exit_codes.MEANINGS.items()
)
SECONDS_BY_UNIT = {"": 1, "s": 1, "m": 60, "h": 3600}
MAX_HOURS = 8760  # a year; the operating system waits for 292 years at most
READER_ENDED = "the program that reads the output ended before all of it was written"
INTERRUPTED_MESSAGE = "stopped; the same command lands what is missing"


class Parser(argparse.ArgumentParser):
    """A parser that lists its commands below the usage when a call is invalid."""

    def format_usage(self) -> str:
        """Return the usage, and one line per command."""
        commands = [
            f"  {command.dest:<14}{command.help}\n"
            for action in self._actions
            if isinstance(action, argparse._SubParsersAction)
            for command in action._choices_actions
        ]
        return "".join([super().format_usage(), *commands])


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line.

    Each command sets `run`, a function from the parsed arguments to an exit code. It also sets
    `parser`, its own parser, whose usage belongs to errors about its options.
    """
    parser: argparse.ArgumentParser = Parser(
        prog="kafka-cdc",
        description=MAIN_HELP,
        epilog=EXIT_CODES_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    land = add_command(
        commands, "land", summary="land raw messages in raw.kafka_messages", text=LAND_HELP
    )
    sources = land.add_subparsers(title="commands", required=True, metavar="SOURCE")
    add_files(sources)
    add_kafka(sources)
    add_schemas(sources)
    add_inspect(commands)
    add_run(commands)
    add_session(commands)
    demo = add_command(
        commands, "demo", summary="land sample messages, build and show the tables", text=DEMO_HELP
    )
    demo.set_defaults(run=run_demo)
    add_typed_models(commands)
    add_report(commands)
    add_metrics(commands)
    lineage = add_command(
        commands,
        "lineage",
        summary="send OpenLineage events of the last dbt run",
        text=LINEAGE_HELP,
    )
    lineage.add_argument(
        "--if-enabled",
        action="store_true",
        help="do nothing if the environment names no receiver (default: fail)",
    )
    lineage.set_defaults(run=run_lineage)
    return parser


Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_command(
    commands: Commands, name: str, *, summary: str, text: str, epilog: str = ""
) -> argparse.ArgumentParser:
    """Add a command and return its parser.

    Args:
        commands: The commands of the parent.
        name: The name of the command.
        summary: One line for the help of the parent.
        text: The help of the command, which begins with its examples.
        epilog: What follows the options.
    """
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=summary,
        description=text,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(parser=command)
    return command


def add_files(sources: Commands) -> None:
    """Add `land files`."""
    command = add_command(
        sources,
        "files",
        summary="land <topic>.jsonl files and dumps of kcat -J",
        text=FILES_HELP,
        epilog=f"{EXIT_CODES_HELP}\n{FILES_EPILOG}",
    )
    command.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a folder or a file")
    add_skip_partial_line(command)
    add_topic_prefix(command)
    add_table(command)
    command.set_defaults(run=run_files)


def add_kafka(sources: Commands) -> None:
    """Add `land kafka`."""
    command = add_command(
        sources,
        "kafka",
        summary="land topics of a Kafka cluster",
        text=KAFKA_HELP,
        epilog=EXIT_CODES_HELP,
    )
    add_cluster(command, is_required=True)
    command.add_argument(
        "--continuous",
        action="store_true",
        help="continue until stopped (default: land all available messages, then end)",
    )
    command.add_argument(
        "--interval",
        type=parse_seconds,
        default="10s",
        metavar="TIME",
        help="how often --continuous looks for new messages, for example 10s or 5m"
        " (default: %(default)s)",
    )
    add_reading(command)
    add_topic_prefix(command)
    add_table(command)
    command.set_defaults(run=run_kafka)


def add_schemas(sources: Commands) -> None:
    """Add `land schemas`."""
    command = add_command(
        sources,
        "schemas",
        summary="look up schemas of landed messages in a schema registry",
        text=SCHEMAS_HELP,
    )
    command.add_argument(
        "--topics",
        type=parse_globs,
        default="*",
        metavar="GLOB[,GLOB…]",
        help="topics by their names in raw; * and ? match (default: all)",
    )
    add_properties(command, "file that contains schema.registry.url")
    add_table(command)
    command.set_defaults(run=run_schemas)


def add_inspect(commands: Commands) -> None:
    """Add `inspect`."""
    command = add_command(
        commands,
        "inspect",
        summary="show what topics contain before they land, and propose settings",
        text=INSPECT_HELP,
        epilog=INSPECT_EPILOG,
    )
    command.add_argument(
        "paths",
        nargs="*",
        default=[],
        type=Path,
        metavar="PATH",
        help="a folder or a file (default: Kafka)",
    )
    add_cluster(command, is_required=False)
    command.add_argument(
        "--messages",
        type=parse_count,
        default=1000,
        metavar="N",
        help="how many messages of each topic to read, at most (default: %(default)s)",
    )
    command.add_argument(
        "--from",
        dest="read_from",
        choices=["end", "beginning"],
        default="end",
        help="read the newest or the oldest messages (default: %(default)s)",
    )
    command.add_argument(
        "--vars",
        metavar="YAML",
        help="settings to try, which replace those of dbt_project.yml as dbt's --vars do"
        " (default: none)",
    )
    add_binary_topics(command)
    add_topic_prefix(command)
    command.add_argument(
        "--json", action="store_true", help="print one JSON object (default: text for people)"
    )
    command.set_defaults(run=run_inspect)


def add_run(commands: Commands) -> None:
    """Add `run`."""
    command = add_command(
        commands,
        "run",
        summary="land, build, test and publish, once or in a loop",
        text=RUN_HELP,
        epilog=EXIT_CODES_HELP,
    )
    command.add_argument(
        "--continuous",
        action="store_true",
        help="repeat the cycle until stopped (default: one cycle, unless --interval is set)",
    )
    command.add_argument(
        "--interval",
        type=parse_seconds,
        metavar="TIME",
        help="repeat the cycle this often, for example 15s or 5m; a cycle that takes longer is"
        " followed by the next one at once (default: 15s)",
    )
    command.add_argument(
        "--monitoring-interval",
        type=parse_seconds,
        default="1m",
        metavar="TIME",
        help="build and test the monitoring models and the staging views of a loop at most this"
        " often; other cycles are faster without them (default: %(default)s)",
    )
    command.add_argument(
        "--max-cycle-messages",
        type=parse_count,
        default=2_000_000,
        metavar="N",
        help="about how many messages of topics a cycle of a loop lands at most; if more wait, the"
        " next cycle follows at once (default: %(default)s)",
    )
    command.add_argument(
        "--files",
        nargs="+",
        type=Path,
        default=[],
        metavar="PATH",
        help="land these files, as `land files` does: a folder or a file (default: none)",
    )
    add_skip_partial_line(command)
    add_cluster(command, is_required=False)
    add_reading(command)
    command.add_argument(
        "--vars",
        default="{}",
        metavar="YAML",
        help="settings for dbt, which override those in dbt_project.yml (default: none)",
    )
    command.add_argument(
        "--report",
        type=Path,
        metavar="FILE",
        help="write the report there after each build, as `kafka-cdc report` does (default: none)",
    )
    add_topic_prefix(command)
    add_table(command)
    command.set_defaults(run=run_loop, fail=command.error)


def add_session(commands: Commands) -> None:
    """Add `session`."""
    command = add_command(
        commands, "session", summary="keep a Spark session for dbt", text=SESSION_HELP
    )
    actions = command.add_subparsers(title="commands", required=True, metavar="ACTION")
    start = add_command(
        actions, "start", summary="start it, and print how to use it", text=SESSION_START_HELP
    )
    start.add_argument(
        "--port",
        type=parse_port,
        default=15002,
        metavar="N",
        help="port on this machine (default: %(default)s)",
    )
    start.set_defaults(run=run_session_start)
    stop = add_command(actions, "stop", summary="end it", text=SESSION_STOP_HELP)
    stop.set_defaults(run=run_session_stop)
    status = add_command(
        actions, "status", summary="show whether it runs", text=SESSION_STATUS_HELP
    )
    status.set_defaults(run=run_session_status)


def add_typed_models(commands: Commands) -> None:
    """Add `typed-models`."""
    command = add_command(
        commands,
        "typed-models",
        summary="write models of typed tables, which every engine can read",
        text=TYPED_MODELS_HELP,
    )
    command.add_argument(
        "--tables",
        type=parse_globs,
        required=True,
        metavar="GLOB[,GLOB…]",
        help="tables by database[.schema].table; * and ? match",
    )
    command.add_argument(
        "--exclude",
        default="",
        metavar="GLOB[,GLOB…]",
        help="tables to leave out (default: none)",
    )
    command.add_argument("--source", metavar="NAME", help="only this stream (default: all)")
    command.add_argument(
        "--history",
        action="store_true",
        help="write tables of versions too: SCD type 2 (default: current rows only)",
    )
    command.add_argument(
        "--into",
        type=Path,
        metavar="DIR",
        help="folder of the models, which dbt must read (default: models/typed in the project)",
    )
    command.add_argument(
        "--check",
        action="store_true",
        help="write nothing, and end with 1 if a file would change or a table is gone"
        " (default: write)",
    )
    command.add_argument(
        "--contracts",
        action="store_true",
        help="enforce names and types: a run stops before a table differs (default: no contract)",
    )
    command.set_defaults(run=run_typed_models)


def add_report(commands: Commands) -> None:
    """Add `report`."""
    command = add_command(
        commands, "report", summary="write an HTML page about the pipeline", text=REPORT_HELP
    )
    command.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="the file to write (default: target/report.html in the project)",
    )
    command.add_argument(
        "--payloads",
        action="store_true",
        help="add excerpts of rejected payloads and the text of statements (default: left out)",
    )
    command.set_defaults(run=run_report)


def add_metrics(commands: Commands) -> None:
    """Add `metrics`."""
    command = add_command(
        commands, "metrics", summary="print metrics for Prometheus", text=METRICS_HELP
    )
    command.add_argument(
        "--output",
        type=Path,
        metavar="FILE",
        help="the file to write, which ends in .prom (default: standard output)",
    )
    add_table(command)
    command.set_defaults(run=run_metrics)


def add_skip_partial_line(command: argparse.ArgumentParser) -> None:
    """Add the option for files that are still being written."""
    command.add_argument(
        "--skip-partial-line",
        action="store_true",
        help="leave a last line without a newline to a later landing, because it is still being"
        " written (default: it lands)",
    )


def add_cluster(command: argparse.ArgumentParser, *, is_required: bool) -> None:
    """Add the options for the Kafka cluster and its topics."""
    command.add_argument(
        "--bootstrap-servers",
        metavar="HOST:PORT[,…]",
        help="brokers of the Kafka cluster (default: bootstrap.servers in the properties)",
    )
    command.add_argument(
        "--topics",
        type=parse_globs,
        required=is_required,
        metavar="GLOB[,GLOB…]",
        help="topics by their names in the Kafka cluster; * and ? match"
        + ("" if is_required else " (default: none)"),
    )
    add_properties(command, "properties of Kafka's Java client")


def add_reading(command: argparse.ArgumentParser) -> None:
    """Add the options for how topics are read."""
    command.add_argument(
        "--starting-offsets",
        type=parse_starting_offsets,
        default="earliest",
        metavar="WHERE",
        help="where topics that no landing has read start: earliest, latest, or a time such as"
        " 2026-01-31T00:00Z (default: %(default)s)",
    )
    command.add_argument(
        "--on-data-loss",
        choices=["continue", "stop"],
        default="continue",
        help="what to do if Kafka has deleted unread messages (default: %(default)s)",
    )
    add_binary_topics(command)
    command.add_argument(
        "--max-commit-mb",
        type=parse_count,
        default=256,
        metavar="N",
        help="about how many megabytes of payload a commit has at most (default: %(default)s)",
    )


def add_binary_topics(command: argparse.ArgumentParser) -> None:
    """Add the option for topics whose payloads are binary."""
    command.add_argument(
        "--binary-topics",
        metavar="GLOB[,GLOB…]",
        help="topics, by their names in raw, whose payloads are binary and become base64, in"
        " addition to those of topics[].encoding in the settings (default: none)",
    )


def add_properties(command: argparse.ArgumentParser, meaning: str) -> None:
    """Add the option for the properties file."""
    command.add_argument(
        "--properties",
        type=Path,
        metavar="FILE",
        help=f"{meaning} (default: KAFKA_CDC_KAFKA_PROPERTIES)",
    )


def add_topic_prefix(command: argparse.ArgumentParser) -> None:
    """Add the option for the topic prefix."""
    command.add_argument(
        "--topic-prefix",
        type=parse_topic_prefix,
        default="",
        metavar="TEXT",
        help="text before the topics' names in raw, such as eu/ for a second cluster"
        " (default: none)",
    )


def add_table(command: argparse.ArgumentParser) -> None:
    """Add the options for raw."""
    command.add_argument(
        "--schema",
        type=parse_name,
        default="raw",
        metavar="NAME",
        help="schema of the table (default: %(default)s)",
    )
    command.add_argument(
        "--table",
        type=parse_name,
        default="kafka_messages",
        metavar="NAME",
        help="name of the table (default: %(default)s)",
    )


def parse_count(text: str) -> int:
    """Return a whole number, which is at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)


def parse_globs(text: str) -> str:
    """Return a list of globs, which names at least one."""
    if not text.replace(",", " ").strip():
        raise argparse.ArgumentTypeError(f"{text!r} names nothing; '*' matches all names")
    return text


def parse_name(text: str) -> str:
    """Return the name of a schema or table."""
    if not all(text.split(".")) or "`" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is no name")
    return text


def parse_topic_prefix(text: str) -> str:
    """Return a topic prefix. The setting topics allows its characters."""
    if not re.fullmatch("[A-Za-z0-9._/-]*", text):
        raise argparse.ArgumentTypeError(
            f"{text!r} has other characters than letters, digits and . _ / -"
        )
    return text


def parse_port(text: str) -> int:
    """Return a port of this machine."""
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 1 to 65535")
    return int(text)


def parse_starting_offsets(text: str) -> str | int:
    """Return `earliest`, `latest`, or a time in Unix milliseconds.

    A time without a zone is in UTC.
    """
    if text in ("earliest", "latest"):
        return text
    try:
        # Python 3.10 does not parse Z.
        time = datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith(("Z", "z")) else text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither earliest nor latest nor a time such as 2026-01-31T00:00Z"
        ) from None
    if not time.tzinfo:
        time = time.replace(tzinfo=timezone.utc)
    # Kafka reads a negative time as a word: -1 is the end of the topic.
    return max(0, int(time.timestamp() * 1000))


def parse_seconds(text: str) -> float:
    """Return the seconds of a time such as 15, 15s, 5m or 1h, longer than 0 and at most a year."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smh]?)", text)
    seconds = float(match[1]) * SECONDS_BY_UNIT[match[2]] if match else 0
    if not 0 < seconds <= MAX_HOURS * 3600:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no time longer than 0 and up to {MAX_HOURS}h, such as 15s or 5m"
        )
    return seconds


# The functions import their modules when they are called, so that --help and wrong commands need no
# Spark.


def run_files(arguments: argparse.Namespace) -> int:
    """Run `land files`."""
    with Shutdown() as shutdown:
        from kafka_cdc.files import command

        return command.run(arguments, shutdown)


def run_kafka(arguments: argparse.Namespace) -> int:
    """Run `land kafka`."""
    with Shutdown() as shutdown:
        from kafka_cdc.kafka import command

        return command.run(arguments, shutdown)


def run_schemas(arguments: argparse.Namespace) -> int:
    """Run `land schemas`."""
    with Shutdown() as shutdown:
        from kafka_cdc.schema_registry import command

        return command.run(arguments, shutdown)


def run_inspect(arguments: argparse.Namespace) -> int:
    """Run `inspect`."""
    with Shutdown() as shutdown:
        from kafka_cdc.inspection import command

        return command.run(arguments, shutdown)


def run_loop(arguments: argparse.Namespace) -> int:
    """Run `run`."""
    if (arguments.bootstrap_servers or arguments.properties) and not arguments.topics:
        arguments.fail("--topics is missing: it names the topics of the Kafka cluster to land")
    with Shutdown(is_patient=True) as shutdown:
        from kafka_cdc import loop

        return loop.run(arguments, shutdown)


def run_session_start(arguments: argparse.Namespace) -> int:
    """Run `session start`."""
    from kafka_cdc import warm_session

    return warm_session.start(arguments.port)


def run_session_stop(_arguments: argparse.Namespace) -> int:
    """Run `session stop`."""
    from kafka_cdc import warm_session

    return warm_session.stop()


def run_session_status(_arguments: argparse.Namespace) -> int:
    """Run `session status`."""
    from kafka_cdc import warm_session

    return warm_session.status()


def run_typed_models(arguments: argparse.Namespace) -> int:
    """Run `typed-models`."""
    from kafka_cdc import typed_models
    from kafka_cdc.kafka.topics import split_globs

    return typed_models.run(
        typed_models.Request(
            tables=split_globs(arguments.tables),
            exclude=split_globs(arguments.exclude),
            source=arguments.source,
            history=arguments.history,
            into=arguments.into or typed_models.get_default_folder(),
            check=arguments.check,
            contracts=arguments.contracts,
        )
    )


def run_demo(_arguments: argparse.Namespace) -> int:
    """Run `demo`."""
    from kafka_cdc import demo

    return demo.run()


def run_report(arguments: argparse.Namespace) -> int:
    """Run `report`."""
    from kafka_cdc.report import command

    return command.run(arguments.output, payloads=arguments.payloads)


def run_metrics(arguments: argparse.Namespace) -> int:
    """Run `metrics`."""
    from kafka_cdc.metrics import command

    return command.run(arguments.output, raw_schema=arguments.schema, raw_table=arguments.table)


def run_lineage(arguments: argparse.Namespace) -> int:
    """Run `lineage`."""
    from kafka_cdc.lineage import command

    return command.run(if_enabled=arguments.if_enabled)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit code. An error is one line on stderr."""
    prepare_output()
    if not logging.getLogger().handlers:
        logging.getLogger().addHandler(logging.NullHandler())  # py4j would print stack traces
    lands = False
    try:
        options = parse(arguments)
        is_landing = options.run in (run_files, run_kafka, run_schemas, run_loop)
        lands = is_landing or options.run == run_demo
        check_working_directory()
        if arguments is None:  # not a step of the demo
            warn_of_misspelled_variables()
        has_shutdown = is_landing or options.run == run_inspect
        with sigterm_as_interrupt(is_needed=not has_shutdown):
            code: int = options.run(options)
            sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print(INTERRUPTED_MESSAGE if lands else "stopped", file=sys.stderr)
        return exit_codes.INTERRUPTED
    except Exception as error:
        why = READER_ENDED if isinstance(error, BrokenPipeError) and is_reader_gone() else None
        print(f"error: {why or reason(error)}", file=sys.stderr)
        drop_unwritten_output()
        return exit_codes.FAILURE


def prepare_output() -> None:
    """Let stdout accept any text: in a terminal without UTF-8, and if it is closed."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def drop_unwritten_output() -> None:
    """Drop what a full disk has no space for. Python would report it again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        discard_output()


def discard_output() -> None:
    """Let what is still written to stdout vanish."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Return the options. Errors of their syntax, and --help, end the process."""
    try:
        options, unknown = build_parser().parse_known_args(arguments)
        if unknown:
            options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    except SystemExit:
        sys.stdout.flush()  # of --help, whose reader may have ended
        raise
    return options


def check_working_directory() -> None:
    """Check that the working directory exists. Java and dbt would not name it.

    Raises:
        LandingError: It was deleted, or this user may not enter it.
    """
    try:
        os.getcwd()
    except OSError as error:
        raise LandingError(
            f"the working directory cannot be used: {error.strerror}."
            " Hint: change to a folder that exists, then run the command again"
        ) from None


def warn_of_misspelled_variables() -> None:
    """Print the environment variables whose names are almost those of the project."""
    for name, nearest in environment.find_misspelled(os.environ).items():
        print(
            f"warning: kafka_cdc has no environment variable {name}. Hint: do you mean {nearest}?",
            file=sys.stderr,
        )


@contextlib.contextmanager
def sigterm_as_interrupt(*, is_needed: bool) -> Iterator[None]:
    """Let SIGTERM stop a command as Ctrl-C does. Commands with a Shutdown do not need it."""
    if not is_needed or threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, handler or signal.SIG_DFL)


def is_reader_gone() -> bool:
    """Return whether the program that reads the output has ended, as head does.

    If it has, the rest of the output is dropped. Python would report it at its end.
    """
    state = select.poll()
    state.register(sys.stdout.fileno(), 0)
    is_gone = any(event & select.POLLERR for _, event in state.poll(0))
    if is_gone:
        discard_output()
    return is_gone
