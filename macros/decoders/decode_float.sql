{#
  Prints SQL for a binary floating-point number of a Spark type, float or double; null where the text is none, has more digits than
  the type keeps (9, 17), or lies beyond it. NaN, Infinity and -Infinity are numbers here.
#}
{% macro decode_float(text, type) -%}
    {%- set digits = {'float': 9, 'double': 17}[type] -%}
    case
        when lower({{ text }}) in ('nan', 'infinity', '-infinity') then try_cast({{ text }} as {{ type }})
        when not {{ text }} rlike r'^[+-]?[0.]*+(?:[0-9][.]?){0,{{ digits }}}0*[.]?0*(?:[eE][+-]?[0-9]{1,9})?\z' then null
        when abs(try_cast({{ text }} as {{ type }})) = cast('infinity' as {{ type }}) then null
        when try_cast({{ text }} as {{ type }}) = 0 and {{ text }} rlike '^[^eE]*[1-9]' then null
        else try_cast({{ text }} as {{ type }})
    end
{%- endmacro %}
