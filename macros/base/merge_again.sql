{#
  Merges all events into base_events anew at once, outside of a run, so that no old text stays there, and publishes it if `is_published`; where
  nothing is merged, nothing.
#}
{% macro merge_again(events, base, is_published) %}
    {%- if load_relation(base) is not none and run_query("select 1 from " ~ base ~ " where event_kind = 'merged' limit 1").rows -%}
        {%- do add_new_columns(base, get_event_columns()) -%}
        {%- set all_events = {'snapshot': get_newest_snapshot(events), 'keeps_all': keeps_all_changes(), 'holds': false, 'tail': []} -%}
        {%- do run_query('insert overwrite ' ~ base ~ ' by name ' ~ merged_events(events, none, all_events)) -%}
        {%- set newest = get_newest_snapshot(base) -%}
        {%- if is_published and get_base_coverage(events, base ~ ' version as of ' ~ newest).holds %}{% do publish(base, newest) %}{% endif -%}
    {%- endif -%}
{% endmacro %}
