"""Lets `python -m kafka_cdc` do what `kafka-cdc` does."""

import sys

from kafka_cdc.cli import main

sys.exit(main())
