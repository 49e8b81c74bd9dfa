{#
  Publishes a tested version of a table, or the latest version if that has the same content.

  It never publishes what another run wrote in the meantime (get_equivalent_version). Maintenance
  does not remove the published version.

  Arguments:
    table (relation): the table.
    version (optional[integer]): the tested version, or the version that is published.
    rewrites (integer): how many versions with other content may come between, see
      get_equivalent_version.

  Returns: the version that is then published (integer), or none if it could not be published.
#}
{% macro publish_version(table, version, rewrites=0) %}
    {%- set latest = kafka_cdc.get_equivalent_version(table, version, rewrites) -%}
    {%- set known = kafka_cdc.get_versions(table) -%}
    {%- if latest is not none and latest != known.published -%}
        {%- do kafka_cdc.get_table_format_macro('publish_version')(table, latest) -%}
        {%- do known.update({'published': latest}) -%}
    {%- endif -%}
    {{ return(latest) }}
{% endmacro %}
