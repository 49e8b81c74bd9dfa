"""A Spark cluster for tests, of pip's pyspark: a master, two workers, and one driver that is a Thrift server and a Spark Connect server."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pyspark
from broker import FAST_START, free_ports
from pyiceberg.catalog import load_catalog

SPARK_HOME = Path(pyspark.__file__).parent
JARS = Path(__file__).resolve().parents[2] / ".jars"
STARTED = "HiveThriftServer2 started"
SHORT_RUN = " ".join(FAST_START[1:3])  # C2 would compile for longer than it saves
LOG4J = "rootLogger.level = info\nrootLogger.appenderRef.0.ref = out\nappender.0.type = Console\nappender.0.name = out\n"


class Cluster:
    """A running cluster over the lake in `folder`/lake. Its servers keep ANSI mode on, which is Spark's default."""

    def __init__(self, folder):
        self.folder, self.lake, self.processes = Path(folder), Path(folder) / "lake", []
        self.lake.mkdir()
        self.master_port, self.thrift, self.connect = free_ports(3)
        self.master = f"spark://127.0.0.1:{self.master_port}"
        # A Thrift server begins each session in the namespace `default`.
        self.catalog = load_catalog(
            "lake",
            type="sql",
            uri=f"sqlite:///{self.lake}/catalog.db",
            warehouse=f"file://{self.lake}",
        )
        self.catalog.create_namespace_if_not_exists("default")
        settings = {
            "spark.driver.extraClassPath": f"{JARS}/*",
            "spark.executor.extraClassPath": f"{JARS}/*",
            "spark.driver.memory": "1g",
            "spark.driver.extraJavaOptions": SHORT_RUN,
            "spark.executor.extraJavaOptions": SHORT_RUN,
            "spark.executor.memory": "512m",
            "spark.cores.max": "2",  # two of four cores: landing needs the others
            "spark.driver.host": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
            "spark.sql.defaultCatalog": "lake",
            "spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog",
            "spark.sql.catalog.lake.type": "jdbc",
            "spark.sql.catalog.lake.uri": f"jdbc:sqlite:{self.lake}/catalog.db?busy_timeout=60000",
            "spark.sql.catalog.lake.warehouse": self.lake,
            "spark.sql.catalog.lake.jdbc.schema-version": "V1",
            "spark.sql.catalog.lake.cache-enabled": "false",
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.session.timeZone": "Asia/Shanghai",
            "spark.sql.analyzer.maxIterations": "1000",
            "spark.sql.codegen.cache.maxEntries": "1000",
            "spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:derby:memory:metastore;create=true",
        }
        (self.folder / "spark-defaults.conf").write_text(
            "".join(f"{name} {value}\n" for name, value in settings.items())
        )
        (self.folder / "log4j2.properties").write_text(LOG4J)
        self.environment = {
            **os.environ,
            "SPARK_HOME": str(SPARK_HOME),
            "SPARK_CONF_DIR": str(self.folder),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "1g",
            "SPARK_DAEMON_JAVA_OPTS": SHORT_RUN,
        }

    def start_all(self):
        """Start the master, the workers and the server."""
        address = ["--host", "127.0.0.1"]
        self.start(
            "master",
            "spark-class",
            "org.apache.spark.deploy.master.Master",
            *address,
            "--port",
            self.master_port,
            "--webui-port",
            0,
            until="I have been elected leader",
        )
        for number in (1, 2):
            self.start(
                f"worker{number}",
                "spark-class",
                "org.apache.spark.deploy.worker.Worker",
                *address,
                "--webui-port",
                0,
                "--cores",
                2,
                "--memory",
                "1100m",
                "--work-dir",
                self.folder / f"worker{number}",
                self.master,
                until="Successfully registered with master",
            )
        server = [
            "--class",
            "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2",
            "--master",
            self.master,
        ]
        options = {
            "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
            "spark.connect.grpc.binding.port": self.connect,
            "spark.connect.grpc.binding.address": "127.0.0.1",
        }
        for name, value in options.items():
            server += ["--conf", f"{name}={value}"]
        self.start(
            "server",
            "spark-submit",
            *server,
            "spark-internal",
            "--hiveconf",
            f"hive.server2.thrift.port={self.thrift}",
            "--hiveconf",
            "hive.server2.thrift.bind.host=127.0.0.1",
            until=STARTED,
        )

    def start(self, name, program, *arguments, until):
        """Start a program of Spark and wait until its log contains `until`. Raise RuntimeError with the end of the log if it does not."""
        log = self.folder / f"{name}.log"
        with log.open("w") as out:
            process = subprocess.Popen(
                [SPARK_HOME / "bin" / program, *map(str, arguments)],
                env=self.environment,
                cwd=self.folder,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        self.processes.append(process)
        began = time.monotonic()
        while until not in log.read_text(errors="replace"):
            if process.poll() is not None or time.monotonic() - began > 240:
                raise RuntimeError(f"{name}: {log.read_text(errors='replace')[-3000:]}")
            time.sleep(0.2)

    def stop(self):
        """End all of it."""
        for process in reversed(self.processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(30)
