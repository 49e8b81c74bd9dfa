{#
  Returns the list of erased rows (row_hash, erased_at), which lies beside events: hashes of the rows, of their Kafka keys and of the messages
  that were rewritten; none while nothing was ever erased.
#}
{% macro get_erased_rows(events) %}
    {%- if not execute %}{{ return(none) }}{% endif -%}
    {{ return(load_relation(events.incorporate(path={'identifier': 'erased_rows'}))) }}
{% endmacro %}
