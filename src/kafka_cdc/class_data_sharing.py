"""Writes .jars/spark.jsa, the archive of loaded classes with which Spark starts twice as fast.

`make setup` runs it once.

A JVM with the settings of the local target does what a first run does, in a lake of its own. It
writes the archive as it ends. Without the archive, or with another Java, everything works, but
slower.
"""

import contextlib
import os
import tempfile

from kafka_cdc import environment


def main() -> None:
    """Land the samples and build twice in one Spark session.

    The JVM writes the archive as it ends.
    """
    home = environment.project_home()
    archive = home / ".jars" / "spark.jsa"
    os.environ[environment.CLASSES.name] = f"-XX:ArchiveClassesAtExit={archive}"
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        stack.enter_context(contextlib.redirect_stdout(None))
        stack.enter_context(contextlib.redirect_stderr(None))
        os.environ[environment.LAKE.name] = f"{folder}/lake"
        from dbt.cli.main import dbtRunner

        from kafka_cdc import demo, session

        spark = session.start()
        demo.land_samples()
        options = ["--target-path", f"{folder}/target", "--log-path", f"{folder}/logs"]
        for _ in range(2):
            dbtRunner().invoke(["--quiet", "build", "--project-dir", str(home), *options])
        jvm = spark.sparkContext._gateway.proc  # type: ignore[union-attr]
        # The JVM ends by itself, as when Python ends, and then writes the archive.
        jvm.stdin.close()
        jvm.wait()


if __name__ == "__main__":
    main()
