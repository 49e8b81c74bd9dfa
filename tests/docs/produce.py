"""Sends the lines of a file to a topic of the page's broker: produce TOPIC FILE."""

import os
import sys
from pathlib import Path

from confluent_kafka import Producer

topic, file = sys.argv[1:]
producer = Producer({"bootstrap.servers": os.environ["BROKER"]})
for line in Path(file).read_text(encoding="utf-8").splitlines():
    producer.produce(topic, line.encode())
if producer.flush(60):
    sys.exit("the broker did not take the messages")
