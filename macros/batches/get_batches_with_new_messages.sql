{#
  Returns the landing batches with messages that raw has and events lacks.

  Arguments:
    events (relation): the model events.
    batches (list[integer]): the landing batches to look at.

  Returns: a list of landing batches.
#}
{% macro get_batches_with_new_messages(events, batches) %}
    {%- if batches == [] -%}
        {{ return([]) }}
    {%- endif -%}

    {%- set query -%}
        select distinct landed.landing_batch
        from {{ kafka_cdc.get_raw_relation() }} as landed
        left anti join {{ events }} as processed
            on landed.landing_batch = processed.landing_batch
            and {{ kafka_cdc.same_message_condition('landed', 'processed') }}
        where landed.{{ kafka_cdc.in_batches_condition(batches) }}
        order by landed.landing_batch
    {%- endset -%}

    {{ return(run_query(query).columns[0].values() | list) }}
{% endmacro %}
