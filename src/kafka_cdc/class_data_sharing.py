"""Writes .jars/spark.jsa, the archive of loaded classes with which Spark starts twice as fast.

The JVM of the first `make run` writes it as it ends. `make setup` does the same in its own lake.
Without the archive, or with another Java, everything works, but slower.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pyspark import SparkContext

from kafka_cdc import environment


def get_archive() -> Path:
    """Return the path of the archive. The profile `local` has the same."""
    return environment.project_home() / ".jars" / "spark.jsa"


@contextlib.contextmanager
def archive_classes(archive: Path) -> Iterator[None]:
    """Make the JVM that starts in this block write the archive at the end of the block.

    The JVM ends then. The archive appears when it is complete. A JVM on a cluster writes none.
    """
    unfinished = archive.with_suffix(".unfinished")
    os.environ[environment.CLASSES.name] = f"-XX:ArchiveClassesAtExit={unfinished}"
    yield
    jvm = SparkContext._gateway.proc  # type: ignore[union-attr]
    # The JVM ends by itself, as when Python ends, and then writes the archive.
    jvm.stdin.close()
    jvm.wait()
    if unfinished.exists():
        unfinished.replace(archive)


def main() -> None:
    """Land the samples and build twice in one Spark session."""
    from dbt.cli.main import dbtRunner

    from kafka_cdc import demo, session

    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(contextlib.redirect_stdout(None))
        stack.enter_context(contextlib.redirect_stderr(None))
        stack.enter_context(archive_classes(get_archive()))
        os.environ[environment.LAKE.name] = f"{folder}/lake"
        session.start()
        demo.land_samples()
        home = str(environment.project_home())
        options = ["--target-path", f"{folder}/target", "--log-path", f"{folder}/logs"]
        for _ in range(2):
            dbtRunner().invoke(["--quiet", "build", "--project-dir", home, *options])


if __name__ == "__main__":
    main()
