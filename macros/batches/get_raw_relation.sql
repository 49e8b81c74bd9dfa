{#
  Returns the relation of the landed messages: raw, or mapped_messages if another tool writes the table.

  Raises an error before the first landing (check_raw).

  Returns: a relation.
#}
{% macro get_raw_relation() %}
    {%- do kafka_cdc.check_raw() -%}
    {{ return(ref('mapped_messages') if kafka_cdc.get_raw_column_mapping() else source('raw', 'kafka_messages')) }}
{% endmacro %}
