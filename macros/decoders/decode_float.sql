{#
  Prints an expression: a binary floating-point number.

  The result is null if the text is not a number or is outside the type's range. It is also null if
  the number has more digits than the type keeps (9 or 17), unless `digits` is `exact`. NaN, Infinity
  and -Infinity are numbers here.

  Arguments:
    text (string): SQL of the text.
    type (string): `float` or `double`.
    digits (optional[string]): `exact` if the vendor writes all digits of a binary number, as in
      0.100000000000000005551 for the double 0.1. The nearest number is then the same.
#}
{% macro decode_float(text, type, digits=none) -%}
    {%- set most_digits = {'exact': 800}.get(digits, {'float': 9, 'double': 17}[type]) -%}
    case
        when lower({{ text }}) in ('nan', 'infinity', '-infinity') then try_cast({{ text }} as {{ type }})
        when not {{ text }} rlike r'^[+-]?[0.]*+(?:[0-9][.]?){0,{{ most_digits }}}0*+[.]?+0*+(?:[eE][+-]?[0-9]{1,9})?\z'
            then null
        when abs(try_cast({{ text }} as {{ type }})) = cast('infinity' as {{ type }}) then null
        when try_cast({{ text }} as {{ type }}) = 0 and {{ text }} rlike '^[^eE]*[1-9]' then null
        else try_cast({{ text }} as {{ type }})
    end
{%- endmacro %}
