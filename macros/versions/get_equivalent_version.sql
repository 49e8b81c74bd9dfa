{#
  Returns the latest version of a table if it has the same content as another version, else none.

  That is the case if it is that version, or if only maintenance rewrote files since.
  Maintenance does not change content.

  Example: version 3 is published.
    later versions                   rewrites  result
    none                             0         3
    4 (compaction of files)          0         4
    4 (written by a run)             0         none
    4 (rewritten by erase_row)       1         4

  Arguments:
    table (relation): the table.
    version (optional[integer]): the version to compare with; none gives none.
    rewrites (integer): how many versions with other content may come between.

  Returns: optional[integer].
#}
{% macro get_equivalent_version(table, version, rewrites=0) %}
    {%- set latest = kafka_cdc.get_latest_version(table) -%}
    {%- if latest == version or version is none -%}
        {{ return(version if latest == version else none) }}
    {%- endif -%}

    {#- Go back from the latest version to its parents. Count those that changed the content. -#}
    {%- set versions = kafka_cdc.get_table_format_macro('versions')(table, version, latest) -%}
    {%- set walk = namespace(at=latest, changes=0) -%}
    {%- for _ in versions if walk.at != version and walk.at in versions -%}
        {%- set walk.changes = walk.changes + (not versions[walk.at].is_rewrite) -%}
        {%- set walk.at = versions[walk.at].parent -%}
    {%- endfor -%}
    {{ return(latest if walk.at == version and walk.changes <= rewrites else none) }}
{% endmacro %}
