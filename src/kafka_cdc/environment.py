"""Where the project lies, told to every Python process of its .venv, so that `dbt` and `python -m landing` need no flags.

`make` installs this module as a start-up hook of .venv. A variable that is already set wins.
"""

import contextlib
import os
import warnings
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent


def set_defaults() -> None:
    """Set KAFKA_CDC_HOME (the project), KAFKA_CDC_LAKE (the embedded lake, made absolute; the folder is made) and DBT_PROFILES_DIR."""
    os.environ.setdefault("KAFKA_CDC_HOME", str(HOME))
    lake = os.path.abspath(os.environ.get("KAFKA_CDC_LAKE") or HOME / "lake")
    os.environ["KAFKA_CDC_LAKE"] = lake
    with contextlib.suppress(OSError):  # a catalog that is missing for lack of its folder would be a Java stack trace
        os.makedirs(lake, exist_ok=True)
    os.environ.setdefault("DBT_PROFILES_DIR", str(HOME / "profiles"))
    os.environ.setdefault("DO_NOT_TRACK", "1")
    if "SPARK_REMOTE" in os.environ:  # dbt asks for Hive in each statement, and Spark Connect says each time that it has its own
        warnings.filterwarnings("ignore", "Failed to set spark.sql.catalogImplementation")


set_defaults()
