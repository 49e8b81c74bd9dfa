{#
  Returns the value of a setting, also for a node of another project.

  dbt shows the settings under `vars: kafka_cdc:` only to nodes of this package. For other nodes they
  come from the configuration of the model changelog (get_shared_settings).

  Arguments:
    name (string): a setting of get_shared_settings, or another setting for nodes of this package.

  Returns: the value, [] if it is not set.
#}
{% macro get_setting(name) %}
    {%- set is_own_node = model is defined and model.package_name == 'kafka_cdc' -%}
    {%- if execute and not is_own_node and 'model.kafka_cdc.changelog' in graph.nodes -%}
        {%- set shared = graph.nodes['model.kafka_cdc.changelog'].config.meta.get('shared_settings', {}) -%}
        {%- if name in shared -%}
            {{ return(shared[name]) }}
        {%- endif -%}
    {%- endif -%}
    {{ return(var(name, []) or []) }}
{% endmacro %}
