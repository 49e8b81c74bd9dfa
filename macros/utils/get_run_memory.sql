{#
  Returns a mapping that all nodes of the current dbt invocation share.

  dbt gives macros no memory between nodes. `graph` is the only object that every node of an
  invocation sees. Entries are kept by invocation, because a process may run dbt several times.

  Returns: a mapping, empty at the start of an invocation. The caller may change it.
#}
{% macro get_run_memory() %}
    {#- The documentation is made without dbt and its graph. -#}
    {{ return(graph.setdefault('kafka_cdc', {}).setdefault(invocation_id, {}) if graph is defined else {}) }}
{% endmacro %}
