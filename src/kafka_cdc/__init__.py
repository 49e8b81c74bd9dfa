"""Lands raw Kafka messages, from files or from a cluster, exactly once."""
