{# Prints SQL for a boolean from true, t, 1 or false, f, 0 in any case; null for any other text. #}
{% macro decode_boolean(text) -%}
    case when lower({{ text }}) in ('true', 't', '1') then true when lower({{ text }}) in ('false', 'f', '0') then false end
{%- endmacro %}
