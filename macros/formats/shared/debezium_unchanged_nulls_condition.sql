{#
  Prints a condition: a null of the message may be a column that did not change.

  YugabyteDB's connector of logical replication calls itself postgresql. Its default replica identity
  CHANGE is unknown to PostgreSQL. The setting `replica_identity` of the topic names another one.

  Arguments:
    version (string): SQL of the connector's version.
#}
{% macro debezium_unchanged_nulls_condition(version) -%}
    coalesce({{ version }} like 'dz.%.yb.%', false) and settings.replica_identity is null
{%- endmacro %}
