{#
  Returns the number of a table's newest snapshot where it says what the snapshot `known` says: it is that one, or maintenance made it of
  that one; else none. rewrites: how many snapshots that say something new may lie between.
#}
{% macro get_equivalent_version(table, known, rewrites=0) %}
    {%- set newest = kafka_cdc.get_latest_version(table) -%}
    {%- if newest == known or known is none %}{{ return(known if newest == known else none) }}{% endif -%}
    {%- set made = kafka_cdc.get_table_format_macro('versions')(table, known, newest) -%}
    {%- set walk = namespace(at=newest, changes=0) -%}
    {%- for _ in made if walk.at != known and walk.at in made -%}
        {%- set walk.changes = walk.changes + (not made[walk.at].is_rewrite) -%}
        {%- set walk.at = made[walk.at].parent -%}
    {%- endfor -%}
    {{ return(newest if walk.at == known and walk.changes <= rewrites else none) }}
{% endmacro %}
