{#
  Writes fingerprints to the properties in which read_fingerprints finds them.

  Arguments:
    view (relation): the view changelog.
    fingerprints (dict[string, string]): name -> fingerprint.
#}
{% macro write_fingerprints(view, fingerprints) %}
    {%- set properties = [] -%}
    {%- for name, fingerprint in fingerprints.items() -%}
        {%- do properties.append("'kafka_cdc.fingerprint." ~ name ~ "' = '" ~ fingerprint ~ "'") -%}
    {%- endfor -%}
    {%- do run_query('alter view ' ~ view ~ ' set tblproperties (' ~ properties | join(', ') ~ ')') -%}
{% endmacro %}
