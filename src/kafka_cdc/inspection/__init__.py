"""Inspection of topics before they land."""
