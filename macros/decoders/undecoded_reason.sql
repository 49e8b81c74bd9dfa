{# Prints SQL for why a text does not fit, to be followed by the name of the type that it does not fit. #}
{% macro undecoded_reason(text) -%}
    case
        when {{ text }} rlike '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then case
            when {{ text }} rlike '^(?:0000|.{5}00|.{8}00)' then 'a zero date, no '
            when {{ text }} like '% BC' then 'a year before 1, no '
            when {{ text }} rlike '[ T:]24:00:00' then 'hour 24, no '
            when {{ text }} rlike ':60' then 'a leap second, no '
            when {{ text }} rlike '[.][0-9]{6}[0-9]*[1-9]' then 'finer than microseconds, no '
            when {{ text }} rlike '[A-Za-z]/[A-Za-z]' and try_cast({{ text }} as timestamp) is not null and {{ kafka_cdc.decode_timestamp(text) | indent(12) }} is null
                then 'an hour that the clock of its zone repeats or leaves out, no '
            else 'no '
        end
        when {{ text }} rlike '^[+-]?[0-9]{5,}-[0-9]{2}-' or {{ text }} rlike '^-[0-9]+-[0-9]{2}-' then 'a year outside 1 to 9999, no '
        when {{ text }} rlike r'(?i)^[+-]?inf(?:inity)?\z' then 'infinite, no '
        when {{ text }} rlike r'^[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?\z' then 'out of range, too fine, or no '
        else 'no '
    end
{%- endmacro %}
