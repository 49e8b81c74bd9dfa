{# Ends a materialization that leaves its relation as it is: the hooks run, the query does not. why: what dbt shows for it. #}
{% macro skip_materialization(relation, why) %}
    {{ run_hooks(pre_hooks) }}
    {%- call noop_statement('main', why) -%}
        {{ sql }}
    {%- endcall -%}
    {{ run_hooks(post_hooks) }}
    {{ return({'relations': [relation]}) }}
{% endmacro %}
