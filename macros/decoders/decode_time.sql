{#
  Prints SQL for a time of day or a span, as text HH:mm:ss[.f] without needless zeros: Spark's tables have no type for it that holds
  MySQL's 838:59:59 and PostgreSQL's 24:00:00. Null where the text is no time.
#}
{% macro decode_time(text) -%}
    if(
        {{ text }} rlike r'^-?[0-9]{2,3}:[0-5][0-9]:[0-5][0-9](?:[.][0-9]+)?Z?\z',
        regexp_replace({{ text }}, '(?:([.][0-9]*[1-9])0*|[.]0+)?Z?$', '$1'),
        null
    )
{%- endmacro %}
