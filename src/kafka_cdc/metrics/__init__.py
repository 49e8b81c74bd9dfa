"""`kafka-cdc metrics`: the state of the pipeline as metrics of Prometheus."""
