"""Schemas of framed messages, from a schema registry that speaks Confluent's REST API."""
