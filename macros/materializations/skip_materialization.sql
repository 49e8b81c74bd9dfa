{#
  Ends a materialization that leaves its relation unchanged: the hooks run, the query does not.

  Arguments:
    relation (relation): the unchanged table or view.
    reason (string): what dbt shows as the result of the node.

  Returns: what a materialization returns, a mapping with `relations`.
#}
{% macro skip_materialization(relation, reason) %}
    {{ run_hooks(pre_hooks) }}
    {%- call noop_statement('main', reason) -%}
        {{ sql }}
    {%- endcall -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [relation]}) }}
{% endmacro %}
