{#
  Records the fingerprint of something that this run has created or checked (begin_change).

  save_fingerprints writes the records at the end of the run.

  Arguments:
    name (string): what it is, such as the name of a view.
    fingerprint (string): a hash of all that it depends on, such as its SQL.
#}
{% macro record_fingerprint(name, fingerprint) %}
    {%- do kafka_cdc.get_run_memory().setdefault('new_fingerprints', {}).update({name: fingerprint}) -%}
{% endmacro %}
