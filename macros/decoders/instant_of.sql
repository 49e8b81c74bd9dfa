{#
  Prints SQL for the instant (timestamp) at which the clock of a zone shows a date and time; null where it shows it twice or never (the
  hours that it is set back or forward), so that nothing is shifted in silence, and where either text is none.
  text: SQL for yyyy-MM-dd HH:mm:ss, with a space or T, with or without a fraction. zone: SQL for a name or an offset.
#}
{% macro instant_of(text, zone) -%}
    {%- set clock = "convert_timezone('UTC', zone, " -%}
    {#- Of two instants Spark takes the first: the clock is set back soon after it, by an hour or, at the date line, by a day. -#}
    {%- set is_certain -%}
    {{ clock }}utc) = shown
        and not exists(transform(array(3, 24), hours -> timestampadd(hour, hours, utc)), later ->
            shown - ({{ clock }}later) - later) > utc and {{ clock }}shown - ({{ clock }}later) - later)) = shown)
    {%- endset -%}
    {{ kafka_cdc.sql_let({
        'zone': zone,
        'instant': 'try_cast(concat(' ~ text ~ ", ' ', zone) as timestamp)",
        'shown': 'try_cast(' ~ text ~ ' as timestamp_ntz)',
        'utc': "timestampadd(microsecond, unix_micros(instant), timestamp_ntz'1970-01-01 00:00:00')",
    }, "if(zone rlike r'^(?:Z|UTC|GMT|[+-].*)\\z' or " ~ is_certain ~ ', instant, null)') }}
{%- endmacro %}
