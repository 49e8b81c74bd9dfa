{#
  Returns the list of forgotten rows (row_hash, forgotten_at), which lies beside events: hashes of the rows, of their Kafka keys and of the messages
  that were rewritten; none while nothing was ever forgotten.
#}
{% macro get_forgotten_rows(events) %}
    {%- if not execute %}{{ return(none) }}{% endif -%}
    {{ return(load_relation(events.incorporate(path={'identifier': 'forgotten_rows'}))) }}
{% endmacro %}
