{#
  Prints an expression: a boolean from true, t, 1 or false, f, 0, in upper or lower case.

  The result is null for any other text.

  Arguments:
    text (string): SQL of the text.
#}
{% macro decode_boolean(text) -%}
    case
        when lower({{ text }}) in ('true', 't', '1') then true
        when lower({{ text }}) in ('false', 'f', '0') then false
    end
{%- endmacro %}
