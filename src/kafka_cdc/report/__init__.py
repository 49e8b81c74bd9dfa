"""`kafka-cdc report`: one HTML file about the state of the pipeline."""
