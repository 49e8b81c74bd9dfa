{#
  Returns what the last run of a typed table read, from its property kafka_cdc.built_from.

  The current run reads the property once, unless it asks again.

  Arguments:
    table (relation): the typed table.
    is_fresh (boolean): whether to ask again, because another run may have written the table.

  Returns: a mapping, empty if the table does not exist or has no such property.
#}
{% macro get_built_from(table, is_fresh=false) %}
    {%- set memory = kafka_cdc.get_run_memory().setdefault('built_from', {}) -%}
    {%- set name = table | string -%}
    {%- if is_fresh or name not in memory -%}
        {%- do memory.update({name: kafka_cdc._read_built_from(table)}) -%}
    {%- endif -%}
    {{ return(memory[name]) }}
{% endmacro %}

{# Returns the value of the property, or an empty mapping. #}
{% macro _read_built_from(table) %}
    {%- set existing = load_relation(table) -%}
    {%- if existing is none or existing.is_view -%}
        {{ return({}) }}
    {%- endif -%}

    {{ return(kafka_cdc.get_built_from_property(table)) }}
{% endmacro %}
