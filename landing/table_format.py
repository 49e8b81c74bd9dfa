"""The table format of raw and of the tables beside it: iceberg or delta, as KAFKA_CDC_FILE_FORMAT says; dbt reads the same."""

import os

from . import delta, iceberg
from .errors import LandingError

FORMATS = {"iceberg": iceberg, "delta": delta}
NAME = os.environ.get("KAFKA_CDC_FILE_FORMAT", "iceberg")
if NAME not in FORMATS:
    raise LandingError(f"KAFKA_CDC_FILE_FORMAT is {NAME}: valid are {' and '.join(FORMATS)}")
Table = FORMATS[NAME].Table
certainly_failed = FORMATS[NAME].certainly_failed
create_raw = FORMATS[NAME].create_raw
create_small = FORMATS[NAME].create_small
