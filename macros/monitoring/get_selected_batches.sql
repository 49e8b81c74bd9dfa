{# Returns the landing batches of a SELECT over event_batch_stats, for literals; none before there are profiles. profiles: their relation. #}
{% macro get_selected_batches(profiles, select) %}
    {%- if not execute or load_relation(profiles) is none %}{{ return([]) }}{% endif -%}
    {{ return(run_query('select distinct landing_batch from (' ~ select ~ ') as found order by landing_batch').columns[0].values() | list) }}
{% endmacro %}
