{# Prints SQL for the hash by which a row of a source table is on the list of erased rows. row_key: SQL. #}
{% macro row_hash(row_key) -%}
    sha2(to_json(struct({{ kafka_cdc.get_table_columns() | join(', ') }}, {{ row_key }} as row_key)), 256)
{%- endmacro %}
