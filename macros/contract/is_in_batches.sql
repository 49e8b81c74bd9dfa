{# Prints a SQL condition with literals, by which Iceberg leaves out the files of all other landing batches. #}
{% macro is_in_batches(batches) -%}
    {% if batches %}landing_batch in ({{ batches | join(', ') }}){% else %}false{% endif %}
{%- endmacro %}
