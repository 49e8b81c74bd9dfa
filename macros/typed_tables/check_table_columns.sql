{#
  Raises an error if a typed table does not have the columns of its last run, because someone changed it.

  A MERGE would fail with an error of Spark, or convert values.

  Arguments:
    table (relation): the typed table.
    plan (dict[string, any]): from get_typed_table_plan, with the columns of the last run.
#}
{% macro check_table_columns(table, plan) %}
    {%- set found = {} -%}
    {%- for row in run_query('describe table ' ~ table).rows -%}
        {#- What follows the columns begins with an empty line or a heading, which have no type. -#}
        {%- if not row[1] -%}
            {%- break -%}
        {%- endif -%}
        {%- do found.update({row[0]: row[1]}) -%}
    {%- endfor -%}

    {%- set differences, expected = [], ['undecoded', 'row_key'] + kafka_cdc.get_change_columns(plan.request) -%}
    {%- for name in expected if name not in found -%}
        {%- do differences.append('column ' ~ name ~ ' is missing') -%}
    {%- endfor -%}
    {%- for column in plan.columns -%}
        {%- set name, type = column.typed_name, column.spark_type | replace(' ', '') -%}
        {%- do expected.append(name) -%}
        {%- if name not in found -%}
            {%- do differences.append('column ' ~ name ~ ' is missing') -%}
        {%- elif found[name] != type -%}
            {%- do differences.append('column ' ~ name ~ ' is ' ~ found[name] ~ ' and not ' ~ type) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for name, type in found.items() if name not in expected -%}
        {%- do differences.append('column ' ~ name ~ ' ' ~ type ~ ' is not of the source') -%}
    {%- endfor -%}

    {%- if differences -%}
        {{ kafka_cdc.raise_error(
            'the table ' ~ table ~ ' was changed by hand: ' ~ differences | join('; '),
            'write it again: dbt run --full-refresh --select ' ~ model.name
        ) }}
    {%- endif -%}
{% endmacro %}
