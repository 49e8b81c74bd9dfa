{#
  Records that no key of the built events is on several partitions without an order.

  The next run then checks the keys of later events only (get_batches_with_unchecked_keys).

  Arguments:
    events (relation): the model events.
#}
{% macro record_checked_keys(events) %}
    {%- if kafka_cdc.should_check_tables() -%}
        {%- set version = kafka_cdc.get_built_version(events) -%}
        {%- set fingerprint = kafka_cdc.get_checked_keys_fingerprint(events, version) -%}
        {%- if not kafka_cdc.is_recorded_fingerprint('checked_keys', fingerprint) -%}
            {%- do kafka_cdc.begin_change('checked_keys') -%}
            {%- do kafka_cdc.record_fingerprint('checked_keys', fingerprint) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
