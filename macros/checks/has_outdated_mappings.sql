{#
  Returns whether events have another format or source than `topics` now sets, a boolean.

  The model outdated_topic_mappings then has rows. It is true as long as there are no statistics.

  Arguments:
    batch_stats (relation): the model event_batch_stats.
#}
{% macro has_outdated_mappings(batch_stats) %}
    {%- set relation = kafka_cdc.get_versioned_relation(batch_stats) -%}
    {%- if relation is none -%}
        {{ return(true) }}
    {%- endif -%}

    {%- set query -%}
        select 1
        from (
            select distinct
                source_format,
                source_name,
                {{ kafka_cdc.topic_settings('kafka_topic') }} as settings
            from {{ relation }}
        ) as mappings
        where {{ kafka_cdc.outdated_mapping_condition() }}
        limit 1
    {%- endset -%}
    {{ return(run_query(query).rows | length > 0) }}
{% endmacro %}
