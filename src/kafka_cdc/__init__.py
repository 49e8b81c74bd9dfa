"""Lands raw Kafka messages, from files or from a broker, in raw.kafka_messages: as strings, exactly once."""
