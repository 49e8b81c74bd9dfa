{# Returns the landing batches, among those named, of which raw holds messages that events does not. #}
{% macro get_batches_with_gains(events, batches) %}
    {%- if batches == [] %}{{ return([]) }}{% endif -%}
    {%- set query -%}
        select distinct landed.landing_batch
        from {{ get_raw() }} as landed
        left anti join {{ events }} as processed
            on landed.landing_batch = processed.landing_batch and {{ is_message_of('landed', 'processed') }}
        where landed.{{ is_in_batches(batches) }}
        order by landed.landing_batch
    {%- endset -%}
    {{ return(run_query(query).columns[0].values() | list) }}
{% endmacro %}
