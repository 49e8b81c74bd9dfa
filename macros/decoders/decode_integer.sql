{# Prints SQL for a whole number of a Spark type (tinyint, smallint, int, bigint); null where the text is none or it does not fit. #}
{% macro decode_integer(text, type) -%}
    if({{ text }} rlike r'^[+-]?[0-9]+\z', try_cast({{ text }} as {{ type }}), null)
{%- endmacro %}
