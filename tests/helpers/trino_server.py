"""A Trino server that reads typed tables of the lake.

It is one process, without Docker and without a shared catalog. `make test-trino` downloads it. Its
catalogs have a metastore of files, in which each table is registered.
"""

import atexit
import base64
import contextlib
import functools
import gzip
import json
import os
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path

from broker import free_ports

HOME = Path(__file__).resolve().parents[2]
FOLDER = HOME / ".trino"
OLDEST_JAVA = 24
OPTIONS = ["-Xmx1g", "-Djdk.attach.allowAttachSelf=true"]
MODULES = ["--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"]


def why_not():
    """Return why Trino cannot run here, or None."""
    if not os.environ.get("KAFKA_CDC_TRINO"):
        return "Trino is tested by make test-trino"
    if not find_java():
        return f"Trino needs Java {OLDEST_JAVA} or later: install one, or set TRINO_JAVA_HOME"
    return None


@functools.cache
def find_java():
    """Return the first java that is new enough, or None."""
    homes = [os.environ.get("TRINO_JAVA_HOME"), os.environ.get("JAVA_HOME")]
    homes += sorted(map(str, Path("/usr/lib/jvm").glob("*")), reverse=True)
    for command in [*(Path(home, "bin", "java") for home in homes if home), "java"]:
        with contextlib.suppress(OSError):
            printed = subprocess.run([command, "-version"], capture_output=True, text=True).stderr
            version = re.search(r'version "(\d+)', printed)
            if version and int(version[1]) >= OLDEST_JAVA:
                return str(command)
    return None


class Server:
    """A running Trino."""

    def __init__(self, port, catalogs=None):
        """Start the server.

        Arguments:
            catalogs: Names of further catalogs, and the properties of each.
        """
        self.url, self.folder = f"http://127.0.0.1:{port}", Path(tempfile.mkdtemp(prefix="trino_"))
        (home,) = FOLDER.glob("trino-server-*")
        for plugin in ("iceberg", "delta-lake"):  # a start with all plugins takes a minute
            (self.folder / "plugin").mkdir(exist_ok=True)
            (self.folder / "plugin" / plugin).symlink_to(home / "plugin" / plugin)
        catalog = {
            "hive.metastore.catalog.dir": f"file://{self.folder}/metastore",
            "fs.hadoop.enabled": "true",
        }
        files = {
            "config.properties": {
                "coordinator": "true",
                "node-scheduler.include-coordinator": "true",
                "http-server.http.port": port,
                "discovery.uri": self.url,
                "query.max-memory-per-node": "300MB",
                "catalog.management": "static",
            },
            "catalog/iceberg.properties": {
                "connector.name": "iceberg",
                "iceberg.catalog.type": "TESTING_FILE_METASTORE",
                "iceberg.register-table-procedure.enabled": "true",
                **catalog,
            },
            "catalog/delta.properties": {
                "connector.name": "delta_lake",
                "delta.register-table-procedure.enabled": "true",
                "hive.metastore": "file",
                **catalog,
            },
        }
        for name, properties in (catalogs or {}).items():
            files[f"catalog/{name}.properties"] = {"fs.hadoop.enabled": "true", **properties}
        for name, properties in files.items():
            file = self.folder / "etc" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text("".join(f"{key}={value}\n" for key, value in properties.items()))
        class_path = f"{home}/lib/*"
        self.process = subprocess.Popen(
            [
                find_java(),
                *OPTIONS,
                *MODULES,
                f"-Dnode.data-dir={self.folder}",
                f"-Dconfig={self.folder}/etc/config.properties",
                "-Dnode.environment=test",
                f"-Dcatalog.config-dir={self.folder}/etc/catalog",
                f"-Dplugin.dir={self.folder}/plugin",
                "-cp",
                class_path,
                "io.trino.server.TrinoServer",
            ],
            cwd=self.folder,
            stdout=(self.folder / "log").open("w"),
            stderr=subprocess.STDOUT,
        )
        atexit.register(self.process.kill)
        self.wait()

    def wait(self, seconds=240):
        """Wait until the server answers a query."""
        end = time.monotonic() + seconds
        while True:
            with contextlib.suppress(urllib.error.URLError, RuntimeError, ConnectionError):
                self.query("show catalogs")
                return
            alive = self.process.poll() is None and time.monotonic() < end
            assert alive, (self.folder / "log").read_text()[-3000:]
            time.sleep(1)

    def query(self, sql):
        """Return the rows of a statement as mappings with the values of Python."""
        headers = {
            "X-Trino-User": "test",
            "X-Trino-Time-Zone": "UTC",
            "X-Trino-Client-Capabilities": "PARAMETRIC_DATETIME",
        }
        request = urllib.request.Request(f"{self.url}/v1/statement", sql.encode(), headers)
        columns, rows = [], []
        while True:
            with urllib.request.urlopen(request, timeout=60) as response:
                answer = json.load(response)
            if "error" in answer:
                raise RuntimeError(f"{sql}: {answer['error']['message']}")
            columns = answer.get("columns", columns)
            rows += answer.get("data", [])
            if "nextUri" not in answer:
                break
            request = urllib.request.Request(answer["nextUri"], headers=headers)
        return [
            {
                column["name"]: value_of(value, column["type"])
                for column, value in zip(columns, row, strict=True)
            }
            for row in rows
        ]


def value_of(value, type):
    """Return a value of Trino's JSON as Python has it."""
    if value is None:
        return None
    if type.startswith("decimal"):
        return Decimal(value)
    if type == "varbinary":
        return base64.b64decode(value)
    if type == "date":
        return date.fromisoformat(value)
    if type.endswith("with time zone"):
        return datetime.fromisoformat(value.removesuffix(" UTC")).replace(tzinfo=timezone.utc)
    if type.startswith("timestamp"):
        return datetime.fromisoformat(value)
    if type.startswith("map("):
        return {key: dict(zip(("text", "reason"), each)) for key, each in value.items()}
    return value


@functools.cache
def get_server():
    """Return the server, which starts at the first call."""
    (port,) = free_ports(1)
    return Server(port)


def read(folder, metadata, table):
    """Return the rows of a table in a folder. Without a metadata file of Iceberg it is of Delta."""
    server = get_server()
    catalog = "iceberg" if metadata else "delta"
    location = f"file://{folder}"
    if metadata:  # Trino compares the text of the location with that of the metadata
        content = Path(folder, "metadata", metadata).read_bytes()
        text = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
        location = json.loads(text)["location"]
    server.query(f"create schema if not exists {catalog}.lake")
    more = f", '{metadata}'" if metadata else ""
    server.query(f"call {catalog}.system.register_table('lake', '{table}', '{location}'{more})")
    try:
        return server.query(f'select * from {catalog}.lake."{table}"')
    finally:
        server.query(f"call {catalog}.system.unregister_table('lake', '{table}')")
