{#
  Logs, after a run, the findings of the project's tests that warned or failed.

  Each finding is a sentence that contains the setting to add. dbt itself only counts findings.
  A line has one finding: control characters of names become spaces.

  Arguments:
    results (list[any]): dbt's results of the run, as on-run-end hooks get them.
#}
{% macro log_test_findings(results) %}
    {%- if execute -%}
        {%- for result in results
                if result.node.resource_type == 'test'
                and result.status in ['warn', 'fail']
                and result.node.package_name == 'kafka_cdc'
                and ' as finding' in result.node.compiled_code -%}
            {%- set prefix = 'warning: ' if result.status == 'warn' else 'failed: ' -%}
            {%- set query = 'select finding from (' ~ result.node.compiled_code ~ ') as findings limit 20' -%}
            {%- for row in run_query(query).rows -%}
                {{ log(prefix ~ modules.re.sub('[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]+', ' ', row[0]), info=true) }}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}
