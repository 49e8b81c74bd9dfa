{#
  Records that something had no finding, or was complete, with a fingerprint of all that it depends on.

  A later run with the same fingerprint skips it. Spark takes up to two seconds to plan a test, even
  if no message has landed. save_fingerprints writes the records at the end of the run.

  Arguments:
    name (string): what had no finding, such as the last part of a test's unique_id.
    fingerprint (string): as get_query_fingerprint returns it. none records nothing.
#}
{% macro record_fingerprint(name, fingerprint) %}
    {%- if fingerprint is not none -%}
        {%- do kafka_cdc.get_run_memory().setdefault('new_fingerprints', {}).update({name: fingerprint}) -%}
    {%- endif -%}
{% endmacro %}
