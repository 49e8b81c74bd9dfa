{#
  Prints an expression: a binary floating-point number.

  The result is null if the text is not a number or is outside the type's range. It is also null if
  the number has more digits than the type keeps (9 or 17), unless `digits` is `exact`. A float that
  its writer took for a double has up to 17 digits: 123.98999786376953 for 123.99. It is read if the
  double is exactly a float. NaN, Infinity and -Infinity are numbers here.

  Arguments:
    text (string): SQL of the text.
    type (string): `float` or `double`.
    digits (optional[string]): `exact` if the vendor writes all digits of a binary number, as in
      0.100000000000000005551 for the double 0.1. The nearest number is then the same.
#}
{% macro decode_float(text, type, digits=none) -%}
    {%- set pattern -%}
    r'^[+-]?[0.]*+(?:[0-9][.]?){0,DIGITS}0*+[.]?+0*+(?:[eE][+-]?[0-9]{1,9})?\z'
    {%- endset -%}
    case
        when lower({{ text }}) in ('nan', 'infinity', '-infinity') then try_cast({{ text }} as {{ type }})
        when not {{ text }} rlike {{ pattern.replace('DIGITS', '800' if digits == 'exact' else '17') }} then null
        {%- if type == 'float' and digits is none %}
        when cast(try_cast({{ text }} as float) as double) <> try_cast({{ text }} as double)
            and not {{ text }} rlike {{ pattern.replace('DIGITS', '9') }} then null
        {%- endif %}
        when abs(try_cast({{ text }} as {{ type }})) = cast('infinity' as {{ type }}) then null
        when try_cast({{ text }} as {{ type }}) = 0 and {{ text }} rlike '^[^eE]*[1-9]' then null
        else try_cast({{ text }} as {{ type }})
    end
{%- endmacro %}
