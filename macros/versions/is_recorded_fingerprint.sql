{#
  Returns whether an earlier run has recorded a fingerprint (record_fingerprint).

  Arguments:
    name (string): what had no finding.
    fingerprint (string): its fingerprint in this run, or none.

  Returns: a boolean.
#}
{% macro is_recorded_fingerprint(name, fingerprint) %}
    {{ return(fingerprint is not none and kafka_cdc.get_recorded_fingerprints().get(name) == fingerprint) }}
{% endmacro %}
