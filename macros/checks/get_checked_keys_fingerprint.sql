{#
  Returns a fingerprint of a version of events and of what decides whether a key has one order.

  Arguments:
    events (relation): the model events.
    version (optional[integer]): its version.

  Returns: a string.
#}
{% macro get_checked_keys_fingerprint(events, version) %}
    {%- set order_by = kafka_cdc.table_setting('order_by', "'sequence'") -%}
    {%- set parts = [kafka_cdc.select_keys_on_several_partitions(events), order_by, version] -%}
    {{ return(local_md5(tojson(parts))[:10]) }}
{% endmacro %}
