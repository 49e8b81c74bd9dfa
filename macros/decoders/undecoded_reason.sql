{#
  Prints an expression: why a text does not fit a type. The caller appends the name of the type.

  An example of the whole reason: "a zero date is not a valid timestamp_ntz".

  Arguments:
    text (string): SQL of the text.
#}
{% macro undecoded_reason(text) -%}
    case
        when {{ text }} rlike '^[0-9]{4}-[0-9]{2}-[0-9]{2}' then case
            when {{ text }} rlike '^(?:0000|.{5}00|.{8}00)' then 'a zero date is not a valid '
            when {{ text }} like '% BC' then 'a year before 1 is not a valid '
            when {{ text }} rlike '[ T:]24:00:00' then 'hour 24 is not a valid '
            when {{ text }} rlike ':60' then 'a leap second is not a valid '
            when {{ text }} rlike '[.][0-9]{6}[0-9]*[1-9]' then 'a fraction finer than microseconds is not a valid '
            when {{ text }} rlike '^(?:0001-01-01|9999-12-31).*[+/-]'
                and not unix_micros(try_cast({{ text }} as timestamp))
                between -62135596800000000 and 253402300799999999
                then 'a year outside 1 to 9999 is not a valid '
            when {{ text }} rlike '[A-Za-z]/[A-Za-z]' and try_cast({{ text }} as timestamp) is not null
                and {{ kafka_cdc.decode_timestamp(text) | indent(12) }} is null
                then 'an hour that the clock of its zone repeats or skips is not a valid '
            else 'not a valid '
        end
        when {{ text }} rlike '^[+-]?[0-9]{5,}-[0-9]{2}-' or {{ text }} rlike '^-[0-9]+-[0-9]{2}-'
            then 'a year outside 1 to 9999 is not a valid '
        when {{ text }} rlike r'(?i)^[+-]?inf(?:inity)?\z' then 'infinity is not a valid '
        when {{ text }} rlike r'^[+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?\z' then 'out of range, too precise, or not a valid '
        else 'not a valid '
    end
{%- endmacro %}
