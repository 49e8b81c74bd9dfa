{#
  Returns a fingerprint of what decides which falls of a vendor's sequence were checked.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
    stats_version (optional[integer]): the version of it that was checked.
    holds_version (optional[integer]): the version of table_holds with the findings.

  Returns: a string.
#}
{% macro get_checked_falls_fingerprint(batch_stats, stats_version, holds_version) %}
    {%- set parts = [
        kafka_cdc.select_batches_around_sequence_resets(batch_stats),
        kafka_cdc.select_sequence_falls('changes'),
        stats_version,
        holds_version,
    ] -%}
    {{ return(local_md5(tojson(parts))[:10]) }}
{% endmacro %}
