"""The raw table and its companions, as Iceberg or Delta tables."""
