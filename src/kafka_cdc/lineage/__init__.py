"""OpenLineage events of landing and of dbt runs."""
