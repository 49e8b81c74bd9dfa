"""Writes .jars/spark.jsa, the archive of loaded classes with which Spark starts twice as fast.

The JVM of the first `make run` writes it after `make run` has ended. `make setup` does the same in
its own lake, and waits. Without the archive, or with another Java, everything works, but slower.
"""

import contextlib
import os
import tempfile
from pathlib import Path

from pyspark import SparkContext

from kafka_cdc import environment


def get_archive() -> Path:
    """Return the path of the archive. The profile `local` has the same."""
    return environment.project_home() / ".jars" / "spark.jsa"


def archive_at_exit() -> None:
    """Make the JVM that starts next write the archive when it ends, which takes a minute.

    The head of the file is written last. Until then, and if the JVM is killed, other JVMs ignore
    the file. A JVM on a cluster writes none.
    """
    os.environ[environment.CLASSES.name] = f"-XX:ArchiveClassesAtExit={get_archive()}"


def main() -> None:
    """Land the samples and build twice in one Spark session. Wait until the archive is written."""
    from dbt.cli.main import dbtRunner

    from kafka_cdc import demo, session

    archive_at_exit()
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(contextlib.redirect_stdout(None))
        stack.enter_context(contextlib.redirect_stderr(None))
        os.environ[environment.LAKE.name] = f"{folder}/lake"
        session.start()
        demo.land_samples()
        home = str(environment.project_home())
        options = ["--target-path", f"{folder}/target", "--log-path", f"{folder}/logs"]
        for _ in range(2):
            dbtRunner().invoke(["--quiet", "build", "--project-dir", home, *options])
        jvm = SparkContext._gateway.proc  # type: ignore[union-attr]
        jvm.stdin.close()
        jvm.wait()


if __name__ == "__main__":
    main()
