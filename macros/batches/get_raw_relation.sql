{#
  Returns the relation of the landed messages.

  It is the table that landing writes. If another tool writes the messages (setting
  raw_column_mapping), it is the model mapped_messages. Raises an error before the first landing
  (check_raw).

  Returns: a relation.
#}
{% macro get_raw_relation() %}
    {%- do kafka_cdc.check_raw() -%}
    {{ return(
        ref('kafka_cdc', 'mapped_messages') if kafka_cdc.get_raw_column_mapping()
        else source('raw', 'kafka_messages')
    ) }}
{% endmacro %}
