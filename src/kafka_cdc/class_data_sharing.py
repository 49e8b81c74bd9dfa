"""Makes .jars/spark.jsa, the archive of loaded classes with which Spark starts in half the time; `make` does this once.

A JVM with the settings of the local target does what a first run does, in a lake of its own, and writes the archive as it ends.
Without the archive, or with another Java, everything works as well, only slower.
"""

import contextlib
import os
import tempfile


def main() -> None:
    """Land the samples and build twice in one Spark session, then end its JVM, which writes the archive."""
    home = os.environ["KAFKA_CDC_HOME"]
    os.environ["KAFKA_CDC_CLASSES"] = f"-XX:ArchiveClassesAtExit={home}/.jars/spark.jsa"
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(None), contextlib.redirect_stderr(None):
        os.environ["KAFKA_CDC_LAKE"] = f"{folder}/lake"
        from dbt.cli.main import dbtRunner

        from . import session
        from .__main__ import main as land
        from .demonstration import SAMPLES

        spark = session.start()
        land(["files", str(SAMPLES)])
        for _ in range(2):
            dbtRunner().invoke(["--quiet", "build", "--project-dir", home, "--target-path", f"{folder}/target", "--log-path", f"{folder}/logs"])
        java = spark.sparkContext._gateway.proc
        java.stdin.close()  # as when Python ends: the JVM ends by itself, and with it the archive is written
        java.wait()


if __name__ == "__main__":
    main()
