{# Merges all events into base_events anew at once, outside of a run, so that no old text stays there; where nothing is merged, nothing. #}
{% macro merge_again(events, held) %}
    {%- if load_relation(held) is not none and run_query("select 1 from " ~ held ~ " where event_kind = 'merged' limit 1").rows -%}
        {%- do run_query('set spark.sql.sources.partitionOverwriteMode = STATIC') -%}
        {%- do run_query('insert overwrite ' ~ held ~ ' by name ' ~ merged_events(events, held, {'is_whole': false, 'snapshot': get_newest_snapshot(events)})) -%}
    {%- endif -%}
{% endmacro %}
