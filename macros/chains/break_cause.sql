{#
  Prints an expression: what may explain that one column has two values, a string. It is a proposal.

  Example: the state has 2024-05-01 08:00:00, and the before image has 2024-05-01 00:00:00.
  The result is time_shift. Without a pattern it is other_value.

  Arguments:
    before (string): SQL of the text in the before image.
    state (string): SQL of the text in the state just before the change.
#}
{% macro break_cause(before, state) -%}
{%- set number = '^[+-]?[0-9]+([.][0-9]+)?\\z' -%}
{%- set are_numbers = '(' ~ before ~ " rlike r'" ~ number ~ "' and " ~ state ~ " rlike r'" ~ number ~ "')" -%}
{%- set difference -%}
abs(try_cast({{ before }} as decimal(38, 10)) - try_cast({{ state }} as decimal(38, 10)))
{%- endset -%}
{%- set seconds -%}
abs(timestampdiff(second, try_cast({{ before }} as timestamp_ntz), try_cast({{ state }} as timestamp_ntz)))
{%- endset -%}
{%- set not_ascii = '[^\\x00-\\x7F]' -%}
{%- set mask = '^([*xX#]{3,}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})\\z' -%}
case
    when coalesce({{ before }}, '') = '' and coalesce({{ state }}, '') = '' then 'empty_or_null'
    when {{ before }} is null or {{ state }} is null then 'null_value'
    when {{ before }} rlike r'{{ mask }}' or {{ state }} rlike r'{{ mask }}' then 'masked_value'
    when {{ are_numbers }} then case
        when {{ kafka_cdc._plain_number(before) }} = {{ kafka_cdc._plain_number(state) }} then 'number_format'
        when {{ difference }} in (256, 65536, 16777216, 4294967296, 18446744073709551616) then 'unsigned_number'
        when length({{ before }}) >= 10 and length({{ state }}) >= 10 and (
            {{ difference }} between 900 and 93600 and {{ difference }} % 900 = 0
            or {{ difference }} between 900000 and 93600000 and {{ difference }} % 900000 = 0
            or {{ difference }} between 900000000 and 93600000000 and {{ difference }} % 900000000 = 0
        ) then 'time_shift'
        when
            {{ kafka_cdc._decimals(before) }} <> {{ kafka_cdc._decimals(state) }}
            and {{ difference }} < power(
                10, -least({{ kafka_cdc._decimals(before) }}, {{ kafka_cdc._decimals(state) }})
            )
            or length({{ before }}) > 15
            and abs(try_cast({{ before }} as double) - try_cast({{ state }} as double))
                / nullif(abs(try_cast({{ state }} as double)), 0) < 1e-14
            then 'rounded_number'
        else 'other_value'
    end
    when {{ seconds }} between 900 and 93600 and {{ seconds }} % 900 = 0 then 'time_shift'
    when {{ seconds }} = 0 then 'time_precision'
    when
        regexp_replace({{ state }}, r'{{ not_ascii }}', '?') = {{ before }}
        or regexp_replace({{ before }}, r'{{ not_ascii }}', '?') = {{ state }}
        or contains({{ before }}, '\ufffd') <> contains({{ state }}, '\ufffd')
        or decode(encode({{ before }}, 'UTF-8'), 'ISO-8859-1') = {{ state }}
        or decode(encode({{ state }}, 'UTF-8'), 'ISO-8859-1') = {{ before }}
        then 'character_set'
    when rtrim({{ before }}) = rtrim({{ state }}) then 'padding'
    when startswith({{ before }}, {{ state }}) or startswith({{ state }}, {{ before }}) then 'truncated_text'
    when lower({{ before }}) = lower({{ state }}) then 'letter_case'
    else 'other_value'
end
{%- endmacro %}

{# Prints an expression: how many decimals the text of a number has. #}
{% macro _decimals(text) -%}
    length(regexp_extract({{ text }}, '[.]([0-9]+)', 1))
{%- endmacro %}

{# Prints an expression: a number without signs, zeros and a point that do not change its value. #}
{% macro _plain_number(text) -%}
concat(
    if({{ text }} like '-%' and {{ text }} rlike '[1-9]', '-', ''),
    ltrim('+-0', if(contains({{ text }}, '.'), rtrim('.', rtrim('0', {{ text }})), {{ text }}))
)
{%- endmacro %}
