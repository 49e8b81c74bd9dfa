{#
  Returns the fingerprints that runs have written (write_fingerprints), a mapping of name -> fingerprint.

  They are properties of the view changelog, because a view has no versions that they could change.
  An empty fingerprint shows that a run has begun to change something.

  Arguments:
    view (relation): the view changelog.
#}
{% macro read_fingerprints(view) %}
    {%- set fingerprints, prefix = {}, 'kafka_cdc.fingerprint.' -%}
    {%- for row in run_query('show tblproperties ' ~ view).rows if row[0].startswith(prefix) -%}
        {%- do fingerprints.update({row[0].removeprefix(prefix): row[1]}) -%}
    {%- endfor -%}
    {{ return(fingerprints) }}
{% endmacro %}
