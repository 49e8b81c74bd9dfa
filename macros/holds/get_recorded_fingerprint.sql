{#
  Returns the fingerprint of the last checks that had no finding (record_checks_fingerprint).

  Arguments:
    view (relation): the model sequence_resets, which has it as a property.

  Returns: optional[string]; none if there is none.
#}
{% macro get_recorded_fingerprint(view) %}
    {%- set row = run_query('show tblproperties ' ~ view ~ " ('kafka_cdc.checks_without_finding')").rows[0] -%}
    {{ return(row[1] if modules.re.fullmatch('[0-9a-f]{32}', row[1]) else none) }}
{% endmacro %}
