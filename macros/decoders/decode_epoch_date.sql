{# Prints SQL for a date from days since 1970-01-01; null where the text is no whole number or lies outside the years 1 to 9999. #}
{% macro decode_epoch_date(text) -%}
    if({{ kafka_cdc.decode_integer(text, 'int') }} between -719162 and 2932896, date_from_unix_date(try_cast({{ text }} as int)), null)
{%- endmacro %}
