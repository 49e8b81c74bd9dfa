{#
  Returns a mapping that all nodes of the current dbt invocation share.

  dbt gives macros no memory between nodes. `graph` is the only object that every node of an
  invocation sees. Entries are kept by invocation, because a process may run dbt several times.

  Returns: a mapping, empty at the start of an invocation. The caller may change it.
#}
{% macro get_run_memory() %}
    {#- The documentation renders formats without dbt and its graph. -#}
    {%- if graph is not defined -%}
        {{ return({}) }}
    {%- endif -%}
    {%- set memories = graph.setdefault('kafka_cdc', {}) -%}
    {%- set memory = memories.setdefault(invocation_id, {}) -%}
    {#- dbt saves the memory of a parse with its result. Later invocations do not need it. -#}
    {%- for other in memories | list if other != invocation_id -%}
        {%- do memories.pop(other, none) -%}
    {%- endfor -%}
    {{ return(memory) }}
{% endmacro %}
