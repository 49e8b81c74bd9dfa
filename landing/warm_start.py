"""Makes .jars/spark.jsa, the archive of loaded classes with which Spark starts in a third of the time (`make` does this once).

A JVM with the settings of the local target does what a first run does, in a lake of its own, and writes the archive as it ends.
Without the archive, or with another Java, everything works as well, only slower.
"""

import os
import sys
import tempfile
from pathlib import Path

ARCHIVE = Path(os.environ["KAFKA_CDC_HOME"]) / ".jars" / "spark.jsa"


def main() -> None:
    """Run landing, `dbt build` and a second `dbt build` in one Spark session and write the archive."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["KAFKA_CDC_LAKE"] = f"{folder}/lake"
        from dbt.cli.main import dbtRunner

        from . import session
        from .__main__ import main as land
        from .demonstration import SAMPLES

        settings = session.spark_settings
        writing = {f"-XX:SharedArchiveFile={ARCHIVE}": f"-XX:ArchiveClassesAtExit={ARCHIVE}"}

        def spark_settings() -> dict[str, str]:
            rendered = settings()
            for reading, other in writing.items():
                rendered["spark.driver.extraJavaOptions"] = rendered["spark.driver.extraJavaOptions"].replace(reading, other)
            return rendered

        session.spark_settings = spark_settings
        spark = session.start()
        land(["files", str(SAMPLES)])
        for _ in range(2):
            dbtRunner().invoke(["--quiet", "build", "--project-dir", os.environ["KAFKA_CDC_HOME"], "--target-path", f"{folder}/target"])
        spark.stop()
        spark._jvm.System.exit(0)


if __name__ == "__main__":
    sys.exit(main())
