{#
  Prints a condition: a message is a tombstone.

  Its value is null or only white space. Kafka Connect before 2.1 wrote a null in the schema envelope
  (KAFKA-3832).

  Arguments:
    value (string): SQL of the message's value.
#}
{% macro tombstone_condition(value) -%}
    coalesce(ltrim(' \t\r\n', {{ value }}), '') in ('', '{"schema":null,"payload":null}')
{%- endmacro %}
