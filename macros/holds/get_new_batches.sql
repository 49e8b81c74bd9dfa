{#
  Returns the landing batches that this run publishes or that are not published, list[integer].

  publish_tested_versions remembers them before it publishes. Checks that run afterwards still know
  what is new. None: nothing was published before, so that all batches are new.

  Arguments:
    events (relation): the model events.
#}
{% macro get_new_batches(events) %}
    {%- if not execute -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set memory = kafka_cdc.get_run_memory() -%}
    {%- if 'new_batches' not in memory -%}
        {%- do memory.update({'new_batches': kafka_cdc.get_unpublished_batches(events)}) -%}
    {%- endif -%}
    {{ return(memory.new_batches) }}
{% endmacro %}
