{#
  Returns a fingerprint of a view's SQL, a string. Comments at its beginning and end do not count.

  Arguments:
    sql (string): the query of the view.
#}
{% macro get_view_fingerprint(sql) %}
    {%- set comments = '(?:\\s|--[^\\n]*(?:\\n|$))+' -%}
    {{ return(local_md5(modules.re.sub(comments ~ '$', '', modules.re.sub('^' ~ comments, '', sql)))[:10]) }}
{% endmacro %}
