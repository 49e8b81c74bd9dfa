{# Prints a SQL condition with literals, by which Iceberg leaves out the files of all other landing batches. #}
{% macro in_batches_condition(batches) -%}
    {% if batches %}landing_batch in ({{ batches | join(', ') }}){% else %}false{% endif %}
{%- endmacro %}
