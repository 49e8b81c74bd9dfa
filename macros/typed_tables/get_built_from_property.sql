{#
  Returns the value of the property kafka_cdc.built_from of a table, or an empty mapping.

  Arguments:
    table (string): SQL of the name of an existing table.
#}
{% macro get_built_from_property(table) %}
    {%- for row in run_query('show tblproperties ' ~ table).rows if row[0] == 'kafka_cdc.built_from' -%}
        {{ return(fromjson(''.encode('utf-8').fromhex(row[1]).decode('utf-8'), {})) }}
    {%- endfor -%}
    {{ return({}) }}
{% endmacro %}
