"""Sends the lines of a file to a topic of the page's broker: produce TOPIC FILE.

The topic is created if it is missing. The command fails if a message was not delivered.
"""

import os
import sys
from pathlib import Path

from confluent_kafka import Producer
from confluent_kafka.admin import AdminClient, NewTopic

topic, file = sys.argv[1:]
configuration = {"bootstrap.servers": os.environ["BROKER"]}
admin = AdminClient(configuration)
if topic not in admin.list_topics(timeout=60).topics:
    admin.create_topics([NewTopic(topic, 1)])[topic].result()

errors = []
producer = Producer(configuration)
for line in Path(file).read_text(encoding="utf-8").splitlines():
    producer.produce(topic, line.encode(), on_delivery=lambda error, _: errors.append(error))
if producer.flush(60) or any(errors):
    sys.exit(f"the broker did not take the messages: {errors}")
