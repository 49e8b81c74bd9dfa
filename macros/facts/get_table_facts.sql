{#
  Returns what at least one source table of the stream has, a mapping of name to boolean.

  The checks leave out the steps that no table needs. All are true as long as there are no
  statistics.

  Arguments:
    batch_stats (relation): the model event_batch_stats.

  Returns: a mapping of name to boolean (dict[string, boolean]) for
    several_partitions      changes came through several partitions, so that those of a key may have
    unsequenced_partitions  they did, and some of them have no sequence of the vendor
    mixed_sequences         some changes have the vendor's sequence and some do not
    unnamed_streams         no message names the stream of the changes, which are in several topics
    missing_keys            some changes have a key and some do not
    without_keys            none of its changes has a key
    silent_statements       statements may have changed its rows without row events
    repeated_snapshots      it has several source snapshots
#}
{% macro get_table_facts(batch_stats) %}
    {{ return(kafka_cdc.get_facts(kafka_cdc.get_versioned_relation(batch_stats)).tables) }}
{% endmacro %}
