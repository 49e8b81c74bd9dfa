{#
  Prints a clause: tblproperties with the property kafka_cdc.built_from.

  Arguments:
    built_from (dict[string, any]): what a run read, see get_typed_table_plan.
#}
{% macro built_from_clause(built_from) -%}
tblproperties ('kafka_cdc.built_from' = {{ kafka_cdc.single_line_sql_literal(tojson(built_from)) }})
{%- endmacro %}
