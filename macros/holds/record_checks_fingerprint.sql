{#
  Post-hook of table_holds: records the fingerprint of checks that had no finding.

  A later run with the same fingerprint skips them. Spark takes seconds to plan the checks, even if
  no message has landed. Findings are never skipped.

  Arguments:
    view (relation): the model sequence_resets, which gets it as a property.
#}
{% macro record_checks_fingerprint(view) %}
    {%- set fingerprint = kafka_cdc.get_run_memory().get('checks_without_finding') if execute else none -%}
    {%- if fingerprint is not none -%}
        {%- set property = "'kafka_cdc.checks_without_finding' = '" ~ fingerprint ~ "'" -%}
        {%- do run_query('alter view ' ~ view ~ ' set tblproperties (' ~ property ~ ')') -%}
    {%- endif -%}
{% endmacro %}
