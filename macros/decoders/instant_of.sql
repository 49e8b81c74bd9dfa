{#
  Prints an expression: the instant (timestamp) at which the clock of a zone shows a date and time.

  The result is null if the clock shows it twice or never, in the hours in which it is set back or
  forward. No time is ever shifted without notice. The result is also null if either text is
  invalid.

  Arguments:
    text (string): SQL of yyyy-MM-dd HH:mm:ss, with a space or T, with or without a fraction.
    zone (string): SQL of the name of a zone or an offset.
#}
{% macro instant_of(text, zone) -%}
    {#-
      If there are two instants, Spark returns the first. The clock is then set back soon after it,
      by an hour or, at the date line, by a day. So the clock is compared 3 and 24 hours later.
    -#}
    {%- set is_unique -%}
    convert_timezone('UTC', zone, utc) = shown
        and not exists(
            transform(array(3, 24), hours -> timestampadd(hour, hours, utc)),
            later -> shown - (convert_timezone('UTC', zone, later) - later) > utc
                and convert_timezone('UTC', zone, shown - (convert_timezone('UTC', zone, later) - later)) = shown
        )
    {%- endset -%}
    {{ kafka_cdc.sql_let({
        'zone': zone,
        'instant': 'try_cast(concat(' ~ text ~ ", ' ', zone) as timestamp)",
        'shown': 'try_cast(' ~ text ~ ' as timestamp_ntz)',
        'utc': "timestampadd(microsecond, unix_micros(instant), timestamp_ntz'1970-01-01 00:00:00')",
    }, "if(zone rlike r'^(?:Z|UTC|GMT|(?:UTC|GMT)?[+-].*)\\z' or " ~ is_unique ~ ', instant, null)') }}
{%- endmacro %}
