{#
  Prints a statement: replaces a typed table and its property in one commit.

  Arguments:
    table (relation): the typed table.
    plan (optional[dict[string, any]]): from get_typed_table_plan; none if nothing is published.
    query (string): SQL of all rows.
#}
{% macro replace_typed_table(table, plan, query) -%}
create or replace table {{ table }}
using {{ kafka_cdc.get_table_format() }}
{{ partition_cols(label='partitioned by') }}
{{ location_clause() }}
{{ comment_clause() }}
tblproperties (
    {%- for name, value in kafka_cdc._get_typed_table_properties(plan).items() %}
    '{{ name }}' = {{ kafka_cdc.sql_literal(value) }}{{ ',' if not loop.last }}
    {%- endfor %}
)
as
{{ query }}
{%- endmacro %}

{# Returns the properties of a typed table, dict[string, string]. The configuration tblproperties can replace them. #}
{% macro _get_typed_table_properties(plan) %}
    {%- set properties = kafka_cdc.get_table_format_macro('typed_table_properties')() -%}
    {%- do properties.update(config.get('tblproperties', {}) or {}) -%}
    {%- if plan is not none -%}
        {%- do properties.update({'kafka_cdc.built_from': tojson(plan.built_from).encode('utf-8').hex()}) -%}
    {%- endif -%}
    {{ return(properties) }}
{% endmacro %}
