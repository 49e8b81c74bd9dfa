{#
  Prints an expression: an instant (timestamp) from a date and time with its zone.

  The zone is Z, an offset (+08, +0800, +08:00, +08:05:43, GMT+08:00) or a name (Asia/Shanghai).
  PostgreSQL writes seconds for local mean time, as in 1900-01-01 00:00:00+08:05:43. The result is
  null for any other text, so the session's zone never counts. It is also null in these cases:
  * decode_timestamp_ntz returns null.
  * The clock of the zone repeats or skips the hour.
  * The year in UTC is outside 1 to 9999, as for 0001-01-01 00:00:00+08:05:43, Go's zero time.

  Arguments:
    text (string): SQL of the text.
#}
{% macro decode_timestamp(text) -%}
    {%- set offset_pattern = '(?:UTC|GMT)?[+-][0-9]{2}(?::?[0-9]{2}){0,2}' -%}
    {%- set zone_pattern = '(?:Z|UTC|GMT|' ~ offset_pattern ~ '|[A-Za-z_]+(?:/[A-Za-z0-9_+-]+)++)' -%}
    {%- set date_time = 'regexp_extract(' ~ text ~ ", '^([0-9-]{10}[ T][0-9:.]+)', 1)" -%}
    {%- set zone = 'ltrim(regexp_extract(' ~ text ~ ", '^[0-9-]{10}[ T][0-9:.]+(.*)', 1))" -%}
    {%- set pattern = '^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,6}0*)? ?'
        ~ zone_pattern ~ '\\z' -%}
    if(
        {{ text }} rlike r'{{ pattern }}',
        {{ kafka_cdc.sql_let(
            {'moment': kafka_cdc.instant_of(date_time, zone)},
            'if(unix_micros(moment) between -62135596800000000 and 253402300799999999, moment, null)'
        ) | indent(8) }},
        null
    )
{%- endmacro %}
