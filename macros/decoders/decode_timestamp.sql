{#
  Prints SQL for an instant (timestamp) from a date and time with its zone: Z, an offset (+08, +0800, +08:00) or a name (Asia/Shanghai).
  Null for any other text, so that the session's zone never counts; what decode_timestamp_ntz leaves null is null here too, and an hour
  that the clock of the zone repeats or leaves out.
#}
{% macro decode_timestamp(text) -%}
    {%- set zone = '(?:Z|UTC|GMT|[+-][0-9]{2}(?::?[0-9]{2})?|[A-Za-z_]+(?:/[A-Za-z0-9_+-]+)+)' -%}
    if(
        {{ text }} rlike r'^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,6}0*)? ?{{ zone }}\z',
        {{ kafka_cdc.instant_of("regexp_extract(" ~ text ~ ", '^([0-9-]{10}[ T][0-9:.]+)', 1)", "ltrim(regexp_extract(" ~ text ~ ", '^[0-9-]{10}[ T][0-9:.]+(.*)', 1))") | indent(8) }},
        null
    )
{%- endmacro %}
