{#
  Prints a SELECT: the keys that updates in two messages changed, as before_key and after_key.

  It includes held tables, which the view split_updates leaves out, and what is not published yet.
  An erasure rewrites these events, too, and a later command no longer finds the pair.

  Arguments:
    events (relation): the model events. The stream has updates in two messages (get_stream_facts).
    of_table (string): SQL of the condition that selects the table.
#}
{% macro select_split_key_changes(events, of_table) -%}
{%- set facts = kafka_cdc.get_stream_facts(ref('kafka_cdc', 'event_batch_stats')) -%}
select distinct before_key, after_key
from (
    {{ kafka_cdc.select_split_updates(events, ref('kafka_cdc', 'event_batch_stats'), facts, holds=[]) | indent(4) }}
) as split_updates
where is_paired and before_key <> after_key and {{ of_table }}
{%- endmacro %}
