-- One row per event in the messages of the format debezium_cloudevents.
{{ kafka_cdc.select_flattened_messages(['debezium_cloudevents']) }}
