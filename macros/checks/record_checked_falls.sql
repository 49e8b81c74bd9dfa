{#
  Post-hook of table_holds: records which versions of it and of event_batch_stats belong together.

  If both are published, the next run knows the falls of these batches (get_unchecked_falls_condition).
  A stream whose sequences have never fallen needs no record.

  Arguments:
    table_holds (relation): the model table_holds.
#}
{% macro record_checked_falls(table_holds) %}
    {%- set batch_stats = kafka_cdc.get_model_relation('event_batch_stats') -%}
    {%- if execute and kafka_cdc.should_check_tables() and kafka_cdc.has_table(batch_stats) -%}
        {%- set has_falls = 'checked_falls' in kafka_cdc.get_recorded_fingerprints()
            or kafka_cdc.get_batches_around_falls(batch_stats) != [] -%}
        {%- set fingerprint = kafka_cdc.get_checked_falls_fingerprint(
            batch_stats,
            kafka_cdc.get_built_version(batch_stats),
            kafka_cdc.get_built_version(table_holds)
        ) -%}
        {%- if has_falls and not kafka_cdc.is_recorded_fingerprint('checked_falls', fingerprint) -%}
            {%- do kafka_cdc.begin_change('checked_falls') -%}
            {%- do kafka_cdc.record_fingerprint('checked_falls', fingerprint) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
