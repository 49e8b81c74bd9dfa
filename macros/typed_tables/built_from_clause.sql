{#
  Prints a clause: tblproperties with the property kafka_cdc.built_from.

  Its JSON is written in hexadecimal digits. Spark would hide a text that contains a word such as
  url or password.

  Arguments:
    built_from (dict[string, any]): what a run read, see get_typed_table_plan.
#}
{% macro built_from_clause(built_from) -%}
tblproperties ('kafka_cdc.built_from' = '{{ tojson(built_from).encode('utf-8').hex() }}')
{%- endmacro %}
