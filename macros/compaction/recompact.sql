{#
  Merges all events into compacted_events anew at once, outside of a run, so that no old text stays there, and publishes it if `is_published`; where
  nothing is merged, nothing.
#}
{% macro recompact(events, base, is_published) %}
    {%- if load_relation(base) is not none and run_query("select 1 from " ~ base ~ " where event_kind = 'merged' limit 1").rows -%}
        {%- do kafka_cdc.add_new_columns(base, kafka_cdc.get_event_columns()) -%}
        {%- set all_events = {'snapshot': kafka_cdc.get_latest_version(events), 'keeps_all': kafka_cdc.get_full_history_condition(), 'holds': false, 'tail': []} -%}
        {%- do run_query('insert overwrite ' ~ base ~ ' by name ' ~ kafka_cdc.select_compacted_events(events, none, all_events)) -%}
        {%- set newest = kafka_cdc.get_latest_version(base) -%}
        {%- if is_published and kafka_cdc.get_compaction_coverage(events, base ~ ' version as of ' ~ newest).holds %}{% do kafka_cdc.publish_version(base, newest) %}{% endif -%}
    {%- endif -%}
{% endmacro %}
