{#
  Prints, after a run, the findings of the project's tests that warned or failed: a sentence for each, the setting to add in it.
  dbt itself only counts them.
#}
{% macro log_test_findings(results) %}
    {%- if execute -%}
        {%- for result in results if result.node.resource_type == 'test' and result.status in ['warn', 'fail']
                and result.node.package_name == 'kafka_cdc' and ' as finding' in result.node.compiled_code -%}
            {%- for row in run_query('select finding from (' ~ result.node.compiled_code ~ ') as findings limit 20').rows -%}
                {{ log(('warning: ' if result.status == 'warn' else 'failed: ') ~ row[0], info=true) }}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}
