{# Prints a SQL condition with literals on an event: that its landing batch is not merged in base_events. base: of get_base. #}
{% macro is_in_tail(base) -%}
    landing_batch > {{ base.bound }}{% if base.open %} or {{ is_in_batches(base.open) }}{% endif %}
{%- endmacro %}
