{#
  Writes merged_rows again from all events, outside of a run.

  An erasure calls it, so that no erased text remains in the table.
  It does nothing if no batch is merged.

  Arguments:
    relations (dict[string, relation]): the models events, batch_stats and merged_rows.
    holds (list[dict[string, any]]): the held tables, from get_holds.
    is_published (boolean): whether to publish the result.
#}
{% macro merge_again(relations, holds, is_published) %}
    {%- set merged = relations.merged_rows -%}
    {%- set query = 'select 1 from ' ~ merged ~ " where row_kind = 'batch' limit 1" -%}
    {%- if load_relation(merged) is not none and run_query(query).rows -%}
        {%- set coverage = kafka_cdc.get_merge_coverage(relations.events, none, holds) -%}
        {%- set select = kafka_cdc.select_merged_rows(relations, none, coverage) -%}
        {%- do run_query('insert overwrite ' ~ merged ~ ' by name ' ~ select) -%}

        {%- set latest = kafka_cdc.get_latest_version(merged) -%}
        {%- set written = kafka_cdc.get_merge_coverage(relations.events, merged ~ ' version as of ' ~ latest, holds) -%}
        {%- if is_published and written.is_valid -%}
            {%- do kafka_cdc.publish_version(merged, latest) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
