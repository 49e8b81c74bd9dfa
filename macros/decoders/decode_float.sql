{#
  Prints an expression: a binary floating-point number.

  The result is null if the text is not a number or is outside the type's range. It is also null if
  the number has more digits than the type keeps (9 or 17). NaN, Infinity and -Infinity are numbers
  here.

  Arguments:
    text (string): SQL of the text.
    type (string): `float` or `double`.
#}
{% macro decode_float(text, type) -%}
    {%- set digits = {'float': 9, 'double': 17}[type] -%}
    case
        when lower({{ text }}) in ('nan', 'infinity', '-infinity') then try_cast({{ text }} as {{ type }})
        when not {{ text }} rlike r'^[+-]?[0.]*+(?:[0-9][.]?){0,{{ digits }}}0*+[.]?+0*+(?:[eE][+-]?[0-9]{1,9})?\z'
            then null
        when abs(try_cast({{ text }} as {{ type }})) = cast('infinity' as {{ type }}) then null
        when try_cast({{ text }} as {{ type }}) = 0 and {{ text }} rlike '^[^eE]*[1-9]' then null
        else try_cast({{ text }} as {{ type }})
    end
{%- endmacro %}
