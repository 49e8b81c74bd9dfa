{#
  Prints an expression: a row of Debezium without the columns whose values it does not contain.

  Debezium writes a placeholder for a value that the log lacks (unchanged TOAST columns and LOBs).
  The placeholder has the encoding of the column: text, bytes (base64, hex), UUID, hstore, or an
  array. An array of texts, UUIDs or bytes has one element. An array of numbers has one element for
  each byte of the placeholder. Each may be a double, a decimal (base64) or a decimal with its scale.

  Arguments:
    row (string): SQL of the row, map<string, string>.
    nulls_are_unknown (string): SQL condition. If true, a null is no value of the column. It may use
      the lambda variable `name`, the column's name.
    may_have_unknown_nulls (string): SQL condition of the message. If it is false, no null is unknown.

  Requires: the column `number_marker`.
#}
{% macro debezium_known_columns(row, nulls_are_unknown='false', may_have_unknown_nulls='false') -%}
    {%- set text = '__debezium_unavailable_value' -%}
    {%- set uuid = 'b68a35a7-17ad-35b3-af2a-ae46edb4545a' -%}
    {%- set base64 = 'X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==' -%}
    {%- set bytes = [
        95, 95, 100, 101, 98, 101, 122, 105, 117, 109, 95, 117, 110, 97,
        118, 97, 105, 108, 97, 98, 108, 101, 95, 118, 97, 108, 117, 101,
    ] -%}
    {%- set digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/' -%}
    {%- set decimals = [] -%}
    {%- for byte in bytes -%}
        {%- do decimals.append(digits[byte // 4] ~ digits[byte % 4 * 16] ~ '==') -%}
    {%- endfor -%}
    {%- set placeholders = [
        text,
        base64,
        '5f5f646562657a69756d5f756e617661696c61626c655f76616c7565',
        uuid,
        '{"' ~ text ~ '":"' ~ text ~ '"}',
    ] -%}
    {%- set array_placeholders = [
        '["' ~ text ~ '"]',
        '["' ~ uuid ~ '"]',
        '["' ~ base64 ~ '"]',
        '[' ~ bytes | join(',') ~ ']',
        '["' ~ decimals | join('","') ~ '"]',
        '[{"scale":0,"value":"' ~ decimals | join('"},{"scale":0,"value":"') ~ '"}]',
    ] -%}
    {#- A double such as 95.0 still has its markers. A message without a marker contains no double. -#}
    {%- set marked_doubles = '["#' ~ bytes | join('.0#","#') ~ '.0#"]' -%}
    {%- set doubles = "coalesce(replace('" ~ marked_doubles ~ "', '#', number_marker), '" ~ text ~ "')" -%}
    {%- set constants = "'" ~ placeholders | join("', '") ~ "'" -%}
    {%- set array_constants = "'" ~ array_placeholders | join("', '") ~ "'" -%}
    {%- set values = 'map_values(' ~ row ~ ')' -%}
    {#- arrays_overlap is null if a value is null and the row has no placeholder. Hashing long constants is slow. -#}
    if(
        not coalesce(
            arrays_overlap({{ values }}, array({{ constants }}))
            or contains(array_join({{ values }}, ''), '[')
            and arrays_overlap({{ values }}, array({{ array_constants }}, {{ doubles }})),
            {{ may_have_unknown_nulls }}
        ),
        {{ row }},
        map_filter(
            {{ row }},
            (name, text) -> if(
                text is null,
                not ({{ nulls_are_unknown }}),
                text not in ({{ constants }}, {{ array_constants }})
                and not (startswith(text, '["') and text = {{ doubles }})
            )
        )
    )
{%- endmacro %}
