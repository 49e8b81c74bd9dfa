{#
  Prints a condition: a configured sequence reset is between two positions of a partition.

  A line of the setting sequence_resets must begin after the first position, and at the second
  position at the latest.

  Arguments:
    after (list[string]): the first position, SQL of its topic incarnation and of its offset.
    until (list[string]): the second position, likewise.

  Requires: columns `kafka_topic`, `kafka_partition`.
#}
{% macro configured_reset_condition(after, until) -%}
    {%- set conditions = [] -%}
    {%- for line in kafka_cdc.get_sequence_resets() -%}
        {%- set has_begun = kafka_cdc.sequence_reset_condition(line, *until) -%}
        {%- set had_begun = kafka_cdc.sequence_reset_condition(line, *after) -%}
        {%- do conditions.append(has_begun ~ ' and not (' ~ had_begun ~ ')') -%}
    {%- endfor -%}
    ({{ conditions | join(' or ') or 'false' }})
{%- endmacro %}
