"""Comparisons with peers on the same messages."""
