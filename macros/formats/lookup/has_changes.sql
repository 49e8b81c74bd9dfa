{#
  Returns whether a message of any of the formats may contain several changes, a boolean.

  Arguments:
    formats (list[string]): the slugs.
#}
{% macro has_changes(formats) %}
    {%- for slug in formats if kafka_cdc.get_format(slug).changes -%}
        {{ return(true) }}
    {%- endfor -%}
    {{ return(false) }}
{% endmacro %}
