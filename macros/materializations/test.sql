{#
  The materialization of the project's tests: dbt's `test`, but it skips a test whose result is known.

  A generic test of this package that found nothing passes without a query while its SQL and all that
  it reads are the same (get_query_fingerprint). Findings are never skipped. Other tests, and all
  tests of a project that installs this package, are dbt's own.
#}
{% materialization test, adapter='spark' %}
    {%- set is_own = 'macro.kafka_cdc.test_' ~ (model.test_metadata.name if model.test_metadata else '')
        in model.depends_on.macros -%}
    {%- set fingerprint = none -%}
    {%- if is_own and not should_store_failures() -%}
        {%- set rules = [] -%}
        {%- for name in ['fail_calc', 'warn_if', 'error_if', 'limit'] -%}
            {%- do rules.append(config.get(name)) -%}
        {%- endfor -%}
        {%- set fingerprint = kafka_cdc.get_query_fingerprint(sql ~ tojson(rules), model.depends_on.nodes) -%}
    {%- endif -%}
    {%- set name = model.unique_id.split('.')[-1] -%}
    {%- if kafka_cdc.is_recorded_fingerprint(name, fingerprint) -%}
        {%- call noop_statement('main', 'unchanged', res=kafka_cdc._no_failure()) -%}
            {{ sql }}
        {%- endcall -%}
        {{ return({'relations': []}) }}
    {%- endif -%}

    {%- set result = materialization_test_default() -%}
    {%- if load_result('main').table.rows[0].values() | list == kafka_cdc._no_failure().rows[0].values() | list -%}
        {%- do kafka_cdc.record_fingerprint(name, fingerprint) -%}
    {%- endif -%}
    {{ return(result) }}
{% endmaterialization %}

{# Returns the result of a test without failures, as dbt reads it. One query makes it for all tests of a run. #}
{% macro _no_failure() %}
    {%- set memory = kafka_cdc.get_run_memory() -%}
    {%- if 'no_failure' not in memory -%}
        {%- do memory.update({
            'no_failure': run_query('select 0 as failures, false as should_warn, false as should_error')
        }) -%}
    {%- endif -%}
    {{ return(memory['no_failure']) }}
{% endmacro %}
